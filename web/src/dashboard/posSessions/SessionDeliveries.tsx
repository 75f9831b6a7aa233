import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { Url } from '../../ui/Url.tsx'
import { useBusiness } from '../business/business.ts'
import { deliveryLabels } from '../labels.ts'
import { deliveryPath } from '../webhooks/paths.ts'
import type { Delivery } from '../webhooks/types.ts'

interface Props {
  deliveries: Delivery[]
  /** The URL of each endpoint, by its id. */
  urls: ReadonlyMap<string, string>
}

/** The webhooks of a payment, and how their delivery goes. */
export function SessionDeliveries({ deliveries, urls }: Props) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Webhooks"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Event',
          cell: ({ id, type }) => (
            <Link className="strong whole" href={deliveryPath(business.id, id)}>
              {type}
            </Link>
          ),
        },
        {
          head: 'Endpoint',
          cell: ({ endpointId }) =>
            endpointId ? <Url of={urls.get(endpointId) ?? 'Removed'} /> : 'None yet',
        },
        {
          head: 'State',
          cell: ({ status, attemptsCount }) => (
            <>
              <Badge tone={deliveryLabels[status].tone}>{deliveryLabels[status].label}</Badge>
              {attemptsCount > 1 && <span className="fine">{attemptsCount} attempts</span>}
            </>
          ),
        },
        { head: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
