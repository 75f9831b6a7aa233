import { aboutNothing, recordDeliveries } from '../events/recordEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import { type EndpointContext, endpointPaused, lockEndpoint, signalEndpoint } from './endpoint.ts'
import { type DeliveryView, readDelivery } from './listDeliveries.ts'

/**
 * Sends an `endpoint.test` event to this endpoint only, regardless of its event types.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `endpoint_paused`
 */
export function sendTest(
  ctx: EndpointContext,
  businessId: string,
  id: string,
  also?: (tx: Tx, result: DeliveryView) => Promise<void>,
): Promise<DeliveryView> {
  return ctx.db.tx(async (tx) => {
    const { status } = await lockEndpoint(tx, businessId, id)
    if (status === 'paused') throw endpointPaused()
    const event = {
      type: 'endpoint.test',
      data: { message: 'A test event.', endpointId: id },
      about: aboutNothing,
    } as const
    const [deliveryId] = await recordDeliveries(tx, businessId, [event], { onlyTo: id })
    await signalEndpoint(tx, id)
    const view = await readDelivery(tx, businessId, deliveryId ?? '')
    await also?.(tx, view)
    return view
  })
}
