import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { deliveryLabels } from '../labels.ts'
import { EventObject } from './EventObject.tsx'
import { eventPath } from './paths.ts'
import type { LoggedEvent } from './types.ts'

const states = ['failed', 'pending', 'delivered'] as const

export function EventTable({ events }: { events: LoggedEvent[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Events"
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Event',
          cell: ({ id, type, sequence }) => (
            <>
              <Link className="strong whole" href={eventPath(business.id, id)}>
                {type}
              </Link>
              <span className="fine">No. {sequence.toLocaleString()}</span>
            </>
          ),
        },
        { head: 'About', cell: ({ object }) => <EventObject of={object} /> },
        { head: 'Deliveries', cell: ({ deliveries }) => <DeliveryStates of={deliveries} /> },
        { head: 'Time', cell: ({ timestamp }) => <Time at={timestamp} exact /> },
      ]}
    />
  )
}

/** The states that deliveries are in; with their number, where there are several. */
function DeliveryStates({ of }: { of: LoggedEvent['deliveries'] }) {
  const present = states.filter((state) => of[state] > 0)
  if (present.length === 0) return <span className="fine">No endpoint takes it</span>
  return (
    <span className="badges">
      {present.map((state) => (
        <Badge key={state} tone={deliveryLabels[state].tone}>
          {of[state] === 1 ? deliveryLabels[state].label : `${of[state]} ${deliveryLabels[state].label}`}
        </Badge>
      ))}
    </span>
  )
}
