import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { approvalLabels } from '../labels.ts'
import type { OperatedBusiness } from '../types.ts'
import { Owners } from './Owners.tsx'

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
            <Link className="strong" href={`/platform/businesses/${encodeURIComponent(business.id)}`}>
              {business.name}
            </Link>
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
        { head: 'Owners', cell: (business) => <Owners of={business.owners} /> },
        { head: 'Fee', whole: true, cell: (business) => `${business.feePercent} %` },
        { head: 'Opened', cell: (business) => <Time at={business.createdAt} /> },
      ]}
    />
  )
}
