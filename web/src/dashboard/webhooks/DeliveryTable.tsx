import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ShortAddress } from '../../ui/ShortAddress.tsx'
import { Time } from '../../ui/Time.tsx'
import { Url } from '../../ui/Url.tsx'
import { chainLabel, deliveryLabels } from '../labels.ts'
import { deliveryPath } from './paths.ts'
import type { Delivery } from './types.ts'

interface Props {
  deliveries: Delivery[]
  businessId: string
  /** The name of each delivery's endpoint; left out if all are of one. */
  endpointOf?: (delivery: Delivery) => string
}

export function DeliveryTable({ deliveries, businessId, endpointOf }: Props) {
  const columns: Column<Delivery>[] = [
    {
      head: 'Event',
      cell: ({ id, type, createdAt }) => (
        <>
          <Link className="strong whole" href={deliveryPath(businessId, id)}>
            {type}
          </Link>
          <span className="fine">
            <Time at={createdAt} />
          </span>
        </>
      ),
    },
    { head: 'About', cell: (delivery) => <About delivery={delivery} /> },
    {
      head: 'State',
      cell: ({ status, attemptsCount }) => (
        <>
          <Badge tone={deliveryLabels[status].tone}>{deliveryLabels[status].label}</Badge>
          {attemptsCount > 1 && <span className="fine">{attemptsCount} attempts</span>}
        </>
      ),
    },
  ]
  if (endpointOf) columns.push({ head: 'Endpoint', cell: (delivery) => <Url of={endpointOf(delivery)} /> })
  return <DataTable caption="Deliveries" rows={deliveries} keyOf={({ id }) => id} columns={columns} />
}

function About({ delivery: { amount, symbol, chain, address } }: { delivery: Delivery }) {
  if (!amount && !chain) return '–'
  return (
    <>
      {amount && `${amount} ${symbol}`}
      <span className="fine">
        {chainLabel(chain)}
        {address && (
          <>
            {' '}
            <ShortAddress of={address} />
          </>
        )}
      </span>
    </>
  )
}
