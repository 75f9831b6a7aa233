import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { Url } from '../../ui/Url.tsx'
import { useBusiness } from '../business/business.ts'
import { deliveryLabels } from '../labels.ts'
import { deliveryPath } from '../webhooks/paths.ts'
import { isSendable, targetOf } from '../webhooks/targetOf.ts'
import type { Delivery } from '../webhooks/types.ts'

interface Props {
  deliveries: Delivery[]
  /** The URL of each endpoint, by its id. */
  urls: ReadonlyMap<string, string>
  /** The ids of all endpoints and callback hosts. */
  there: ReadonlySet<string>
  /** Undefined: this person may not replay. */
  onReplay: ((delivery: Delivery) => void) | undefined
}

/** An event on its way to each endpoint, and to the callback URL of its payment. */
export function EventDeliveries({ deliveries, urls, there, onReplay }: Props) {
  const { business } = useBusiness()
  const columns: Column<Delivery>[] = [
    {
      head: 'Endpoint',
      cell: (delivery) => (
        <Link className="strong" href={deliveryPath(business.id, delivery.id)}>
          <Url of={targetOf(delivery, urls)} />
        </Link>
      ),
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
    {
      head: 'Delivered',
      cell: ({ deliveredAt }) => (deliveredAt ? <Time at={deliveredAt} exact /> : '–'),
    },
  ]
  if (onReplay)
    columns.push({
      head: 'Actions',
      actions: true,
      cell: (delivery) =>
        isSendable(delivery, there) && (
          <button
            type="button"
            className="button small"
            aria-label={`Send again to ${targetOf(delivery, urls)}`}
            onClick={() => onReplay(delivery)}
          >
            Send again
          </button>
        ),
    })
  return <DataTable caption="Deliveries" rows={deliveries} keyOf={({ id }) => id} columns={columns} />
}
