import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { approvalLabels } from '../labels.ts'
import type { OperatedBusiness } from '../types.ts'
import { Owners } from './Owners.tsx'
import { Taken } from './Taken.tsx'

export function OperatedBusinessTable({ businesses }: { businesses: OperatedBusiness[] }) {
  return (
    <DataTable
      caption="Businesses"
      rows={businesses}
      keyOf={(business) => business.id}
      columns={[
        {
          head: 'Name',
          cell: (business) => (
            <span className="business-name">
              <Link className="strong" href={`/platform/businesses/${encodeURIComponent(business.id)}`}>
                {business.name}
              </Link>
              <span className="fine">
                Opened <Time at={business.createdAt} />
              </span>
            </span>
          ),
        },
        {
          head: 'State',
          cell: (business) => (
            <Badge tone={approvalLabels[business.approval].tone}>
              {approvalLabels[business.approval].label}
            </Badge>
          ),
        },
        {
          head: 'Owners',
          cell: ({ owners, memberCount }) => (
            <>
              <Owners of={owners.slice(0, 1)} />
              {memberCount > 1 && <span className="fine">{`${memberCount} members`}</span>}
            </>
          ),
        },
        { head: 'Today', cell: ({ volume }) => <Taken of={volume?.today} /> },
        { head: '30 days', cell: ({ volume }) => <Taken of={volume?.days30} /> },
        {
          head: 'Last payment',
          cell: ({ volume }) => (volume?.lastPaymentAt ? <Time at={volume.lastPaymentAt} /> : 'None yet'),
        },
      ]}
    />
  )
}
