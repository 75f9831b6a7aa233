import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Section.tsx'
import { useBusiness } from '../business/business.ts'
import { DeliveryTable } from './DeliveryTable.tsx'
import { deliveriesPath } from './paths.ts'
import type { Delivery } from './types.ts'

export function LatestDeliveries({ endpointId, deliveries }: { endpointId: string; deliveries: Delivery[] }) {
  const { business } = useBusiness()
  const all = `${deliveriesPath(business.id)}?${new URLSearchParams({ endpointId })}`
  return (
    <Section
      title="Latest deliveries"
      lead={deliveries.length > 0 && <Link href={all}>All of this endpoint</Link>}
    >
      {deliveries.length === 0 ? (
        <Empty title="Nothing was sent here yet." />
      ) : (
        <DeliveryTable deliveries={deliveries} businessId={business.id} />
      )}
    </Section>
  )
}
