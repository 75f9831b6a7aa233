import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { Url } from '../../ui/Url.tsx'
import { eventPath } from '../events/paths.ts'
import { chainLabel, deliveryLabels } from '../labels.ts'
import { endpointPath } from './paths.ts'
import type { DeliveryDetails, Endpoint } from './types.ts'

type Fact = [name: string, value: ReactNode]

interface Props {
  delivery: DeliveryDetails
  /** Undefined if there is no endpoint yet, or no longer. */
  endpoint: Endpoint | undefined
  businessId: string
}

export function DeliveryFacts({ delivery, endpoint, businessId }: Props) {
  const { status, chain, address, amount, symbol, txId, deliveredAt, endpointId } = delivery
  const { label, tone } = deliveryLabels[status]
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    [
      delivery.url ? 'Callback' : 'Endpoint',
      delivery.url ? (
        <Url key="endpoint" of={delivery.url} />
      ) : (
        <Target key="endpoint" endpoint={endpoint} endpointId={endpointId} businessId={businessId} />
      ),
    ],
    ...(status === 'pending'
      ? [['Next attempt', <NextAttempt key="next" delivery={delivery} endpoint={endpoint} />] satisfies Fact]
      : []),
    ...(deliveredAt ? [['Delivered', <Time key="delivered" at={deliveredAt} />] satisfies Fact] : []),
    ['Happened', <Time key="happened" at={delivery.createdAt} />],
    ...(delivery.erasedAt
      ? [['Payload erased', <Time key="erased" at={delivery.erasedAt} />] satisfies Fact]
      : []),
    ...(amount ? [['Amount', `${amount} ${symbol}`] satisfies Fact] : []),
    ...(chain ? [['Network', chainLabel(chain)] satisfies Fact] : []),
    ...code('Address', address),
    ...code('Transaction', txId),
    [
      'webhook-id',
      <Link key="event" href={eventPath(businessId, delivery.eventId)}>
        <code>{delivery.eventId}</code>
      </Link>,
    ],
    ['Sequence', delivery.event.sequence.toLocaleString()],
  ]
  return <Facts facts={facts} />
}

const code = (name: string, text: string | null): Fact[] =>
  text ? [[name, <code key={name}>{text}</code>]] : []

function Target({
  endpoint,
  endpointId,
  businessId,
}: Pick<Props, 'endpoint' | 'businessId'> & { endpointId: string | null }) {
  if (!endpoint) return endpointId ? 'Removed' : 'None yet'
  return (
    <Link href={endpointPath(businessId, endpoint.id)}>
      <Url of={endpoint.url} />
    </Link>
  )
}

function NextAttempt({ delivery: { nextAttemptAt, endpointId }, endpoint }: Omit<Props, 'businessId'>) {
  if (nextAttemptAt) return Date.parse(nextAttemptAt) <= Date.now() ? 'Now' : <Time at={nextAttemptAt} />
  if (!endpointId) return 'When there is an endpoint, if that is within 24 hours'
  return endpoint?.status === 'paused' ? 'When its endpoint is resumed' : 'Now'
}
