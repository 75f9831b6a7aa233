import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { moneyText } from '../../ui/Money.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { sessionPath } from './paths.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'
import type { Session } from './types.ts'

export function SessionTable({ sessions }: { sessions: Session[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Payments"
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Payment',
          cell: ({ id, amountExpected, token, chain, localAmount, localCurrency }) => (
            <>
              <Link className="strong amount" href={sessionPath(business.id, id)}>
                {`${readable(amountExpected).text} ${token}`}
              </Link>
              <span className="fine">
                {chainLabel(chain)}
                {localAmount && localCurrency && `, ${moneyText(localAmount, localCurrency)}`}
              </span>
            </>
          ),
        },
        {
          head: 'Reference',
          cell: ({ reference, label }) => (
            <>
              <span className="reference">{reference ?? '–'}</span>
              {label && <span className="fine">{label}</span>}
            </>
          ),
        },
        {
          head: 'Received',
          cell: ({ amountReceived, token }) => (
            <span className="amount">{`${readable(amountReceived).text} ${token}`}</span>
          ),
        },
        {
          head: 'State',
          cell: ({ status, exception }) => (
            <>
              <Badge tone={statusLabels[status].tone}>{statusLabels[status].label}</Badge>
              {exception !== 'none' && <span className="fine">{exceptionLabels[exception]}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
