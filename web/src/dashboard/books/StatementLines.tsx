import { DataTable } from '../../ui/DataTable.tsx'
import { Amount } from './Amount.tsx'
import { assetLabels, lineLabel } from './bookLabels.ts'
import type { StatementLine } from './types.ts'

/** What came, what fees took and what left: fees by themselves. */
export function StatementLines({ lines }: { lines: StatementLine[] }) {
  return (
    <DataTable
      caption="In short"
      rows={lines}
      keyOf={({ line, asset, fiat }) => `${line} ${asset} ${fiat?.currency}`}
      columns={[
        {
          head: 'What',
          cell: ({ line, asset, entries }) => (
            <>
              <span className="strong">{lineLabel(line)}</span>
              <span className="fine">
                {assetLabels(asset)}, {entries === 1 ? '1 entry' : `${entries} entries`}
              </span>
            </>
          ),
        },
        {
          head: 'Amount',
          cell: ({ amount, symbol, fiat }) => (
            <div className="about">
              <Amount of={amount} unit={symbol} signed />
              {fiat && fiat.currency !== symbol && (
                <span className="fine">
                  <Amount of={fiat.amount} unit={fiat.currency} signed />
                </span>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}
