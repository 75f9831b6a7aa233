import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { ShortAddress } from '../../ui/ShortAddress.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { transferPath } from './paths.ts'
import { shortState } from './transferLabels.ts'
import type { Transfer } from './types.ts'

export function TransferTable({ transfers }: { transfers: Transfer[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Transfers"
      rows={transfers}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Amount',
          cell: ({ id, amount, symbol, chain }) => (
            <>
              <Link className="strong amount" href={transferPath(business.id, id)}>
                {`${readable(amount).text} ${symbol}`}
              </Link>
              <span className="fine">{chainLabel(chain)}</span>
            </>
          ),
        },
        {
          head: 'To',
          cell: ({ toAddress, memo }) => (
            <>
              <ShortAddress of={toAddress} />
              {memo !== undefined && <span className="fine">Memo {memo}</span>}
            </>
          ),
        },
        {
          head: 'State',
          cell: (transfer) => {
            const { label, tone } = shortState(transfer)
            return <Badge tone={tone}>{label}</Badge>
          },
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
