import type { Tx } from '../platform/database/db.ts'
import { type EndpointContext, lockEndpoint, lockEvents, restartEndpoint, takeOver } from './endpoint.ts'
import { type EndpointView, readEndpoint } from './listEndpoints.ts'

/**
 * Stops sending to the endpoint until it is resumed; events wait for it meanwhile. Idempotent: a paused
 * endpoint keeps its reason.
 * @param also runs in the same transaction
 * @throws ApiError 404
 */
export function pauseEndpoint(
  ctx: EndpointContext,
  businessId: string,
  id: string,
  also?: (tx: Tx, result: EndpointView) => Promise<void>,
): Promise<EndpointView> {
  return ctx.db.tx(async (tx) => {
    const { status } = await lockEndpoint(tx, businessId, id)
    if (status === 'active')
      await tx.query(
        "update webhook_endpoints set status = 'paused', paused_reason = 'owner', paused_at = now() where id = $1",
        [id],
      )
    const view = await readEndpoint(ctx, tx, businessId, id)
    await also?.(tx, view)
    return view
  })
}

/**
 * Resumes sending, with all waiting deliveries due at once and earlier failures cleared. Idempotent: an
 * active endpoint is unchanged.
 * @param also runs in the same transaction
 * @throws ApiError 404
 */
export function resumeEndpoint(
  ctx: EndpointContext,
  businessId: string,
  id: string,
  also?: (tx: Tx, result: EndpointView) => Promise<void>,
): Promise<EndpointView> {
  return ctx.db.tx(async (tx) => {
    const { status, pausedReason } = await lockEndpoint(tx, businessId, id)
    if (status === 'paused') {
      if (pausedReason === 'gone') await lockEvents(tx, businessId)
      await tx.query(
        "update webhook_endpoints set status = 'active', paused_reason = null, paused_at = null where id = $1",
        [id],
      )
      // Events were not kept for an endpoint that was gone.
      if (pausedReason === 'gone') await takeOver(tx, businessId, id)
      await restartEndpoint(tx, id)
    }
    const view = await readEndpoint(ctx, tx, businessId, id)
    await also?.(tx, view)
    return view
  })
}
