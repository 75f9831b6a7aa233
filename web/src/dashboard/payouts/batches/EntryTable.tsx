import { DataTable } from '../../../ui/DataTable.tsx'
import { Amount } from '../../books/Amount.tsx'
import { chainLabel } from '../../labels.ts'
import type { Entry } from './batchCsv.ts'

/** The first entries of a file, as they were read. */
export function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const rows = entries.slice(0, 20)
  return (
    <>
      <DataTable
        caption="Payouts of the file"
        rows={rows}
        keyOf={({ line }) => String(line)}
        columns={[
          { head: 'Line', cell: ({ line }) => `Line ${line}` },
          {
            head: 'Amount',
            cell: ({ payout: { amount, source } }) => (
              <>
                <Amount of={amount} unit={source.token} /> on {chainLabel(source.chain)}
              </>
            ),
          },
          { head: 'To', cell: ({ payout }) => <code>{placeOf(payout.destination)}</code> },
          { head: 'Reference', cell: ({ payout }) => payout.reference ?? '' },
        ]}
      />
      {entries.length > rows.length && <p className="fine">And {entries.length - rows.length} more.</p>}
    </>
  )
}

const placeOf = ({ id, accountNumber, address }: Entry['payout']['destination']): string =>
  id ?? address ?? accountNumber ?? ''
