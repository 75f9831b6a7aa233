import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { Url } from '../../ui/Url.tsx'
import { endpointState } from '../labels.ts'
import { takenText } from './eventTypes.ts'
import { filterText } from './filterText.ts'
import { endpointPath } from './paths.ts'
import type { Endpoint } from './types.ts'

export function EndpointTable({ endpoints, businessId }: { endpoints: Endpoint[]; businessId: string }) {
  return (
    <DataTable
      caption="Endpoints"
      rows={endpoints}
      keyOf={(endpoint) => endpoint.id}
      columns={[
        {
          head: 'Endpoint',
          cell: ({ id, url, description }) => (
            <>
              <Link className="strong" href={endpointPath(businessId, id)}>
                <Url of={url} />
              </Link>
              {description && <span className="fine">{description}</span>}
            </>
          ),
        },
        {
          head: 'Takes',
          cell: (endpoint) => (
            <>
              {takenText(endpoint.eventTypes)}
              {filterText(endpoint) && <span className="fine">Only {filterText(endpoint)}</span>}
            </>
          ),
        },
        {
          head: 'State',
          cell: (endpoint) => (
            <>
              <EndpointBadge endpoint={endpoint} />
              {endpoint.health.failingSince && (
                <span className="fine">
                  Fails since <Time at={endpoint.health.failingSince} />
                </span>
              )}
              {!endpoint.health.failingSince && endpoint.health.failingTypes.length > 0 && (
                <span className="fine">
                  Fails to take {endpoint.health.failingTypes.map(({ type }) => type).join(', ')}
                </span>
              )}
            </>
          ),
        },
        {
          head: 'Delivered',
          cell: ({ health }) => (health.lastDeliveredAt ? <Time at={health.lastDeliveredAt} /> : 'Never'),
        },
        { head: 'Waiting', cell: ({ health }) => health.waiting.toLocaleString() },
      ]}
    />
  )
}

export function EndpointBadge({ endpoint }: { endpoint: Endpoint }) {
  const { label, tone } = endpointState(endpoint)
  return <Badge tone={tone}>{label}</Badge>
}
