import { Link } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { deliveriesPath } from './paths.ts'
import type { Endpoint } from './types.ts'

/** The event types that an endpoint fails to take, with the deliveries given up. Hidden without any. */
export function FailingTypes({ endpoint, businessId }: { endpoint: Endpoint; businessId: string }) {
  const { failingTypes } = endpoint.health
  if (failingTypes.length === 0) return null
  const givenUp = failingTypes.reduce((sum, each) => sum + each.givenUp, 0)
  const failed = (type: string) =>
    `${deliveriesPath(businessId)}?${new URLSearchParams({ endpointId: endpoint.id, status: 'failed', type })}`
  return (
    <section className="stack">
      <div className="notice danger" role="note">
        <p>
          Your server does not take{' '}
          {failingTypes.length === 1 ? 'one type of event' : `${failingTypes.length} types of events`}.
          {givenUp > 0 &&
            ` ${givenUp.toLocaleString()} ${givenUp === 1 ? 'delivery was' : 'deliveries were'} given up.`}
        </p>
        {givenUp > 0 && <p>Repair your server, then send the failed deliveries again.</p>}
      </div>
      <DataTable
        caption="Failing event types"
        rows={failingTypes}
        keyOf={({ type }) => type}
        columns={[
          { head: 'Event type', cell: ({ type }) => <code>{type}</code> },
          {
            head: 'Fails since',
            cell: ({ failingSince }) => (failingSince ? <Time at={failingSince} /> : '–'),
          },
          {
            head: 'Failures in a row',
            cell: ({ consecutiveFailures }) => consecutiveFailures.toLocaleString(),
          },
          { head: 'Last error', cell: ({ lastError }) => lastError ?? '–' },
          {
            head: 'Given up',
            cell: ({ type, givenUp: count }) =>
              count > 0 ? <Link href={failed(type)}>{count.toLocaleString()}</Link> : 'None',
          },
        ]}
      />
    </section>
  )
}
