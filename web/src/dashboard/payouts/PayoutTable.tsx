import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { PaidTo } from './PaidTo.tsx'
import { payoutPath } from './paths.ts'
import { payoutStatusLabels } from './payoutLabels.ts'
import { reasonLabels } from './reasonLabels.ts'
import type { Payout } from './types.ts'

export function PayoutTable({ payouts }: { payouts: Payout[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Payouts"
      rows={payouts}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Payout',
          cell: ({ id, amount, source, automatic }) => (
            <>
              <Link className="strong amount" href={payoutPath(business.id, id)}>
                {`${readable(amount).text} ${source.token}`}
              </Link>
              <span className="fine">
                {chainLabel(source.chain)}
                {automatic && ', automatic'}
              </span>
            </>
          ),
        },
        { head: 'To', cell: ({ destination }) => <PaidTo destination={destination} isShort /> },
        {
          head: 'Arrives',
          cell: ({ receiveAmount, receiveCurrency }) =>
            receiveAmount === null ? (
              'Not priced yet'
            ) : (
              <span className="amount">{`${readable(receiveAmount).text} ${receiveCurrency}`}</span>
            ),
        },
        {
          head: 'State',
          cell: ({ status, reason }) => (
            <>
              <Badge tone={payoutStatusLabels[status].tone}>{payoutStatusLabels[status].label}</Badge>
              {reason && <span className="fine">{reasonLabels(reason)}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
