import type { Tx } from '../platform/database/db.ts'
import { type EndpointContext, failWaiting, lockEndpoint, lockEvents } from './endpoint.ts'
import { type EndpointView, readEndpoint } from './listEndpoints.ts'

/**
 * Removes an endpoint. Its waiting deliveries fail but stay listed; the endpoint itself is no longer found.
 * @param also runs in the same transaction, with the endpoint before its removal
 * @throws ApiError 404
 */
export async function removeEndpoint(
  ctx: EndpointContext,
  businessId: string,
  id: string,
  also?: (tx: Tx, result: EndpointView) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockEndpoint(tx, businessId, id)
    const before = await readEndpoint(ctx, tx, businessId, id)
    await lockEvents(tx, businessId)
    await tx.query('update webhook_endpoints set removed_at = now() where id = $1', [id])
    await failWaiting(tx, id)
    await tx.query('delete from webhook_type_health where endpoint_id = $1', [id])
    await also?.(tx, before)
  })
}
