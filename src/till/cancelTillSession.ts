import type { Chain } from '../chains/registry.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { cancelSession } from '../sessions/cancelSession.ts'
import type { CheckoutUrl } from '../sessions/checkout/checkoutToken.ts'
import { presentTillSession, type TillSessionView } from './tillSession.ts'

/**
 * Cancels a pending session of the till without payments. Sessions that were made elsewhere are not found.
 * @throws ApiError 404; 409 `session_not_pending`, `payment_seen`
 */
export async function cancelTillSession(
  ctx: { db: ModelDb; chains: readonly Chain[]; checkoutUrl: CheckoutUrl },
  businessId: string,
  id: string,
  also: (tx: ModelTx, view: TillSessionView) => Promise<void>,
): Promise<TillSessionView> {
  const own = isUuid(id)
    ? await ctx.db.query('select 1 from till_sessions where session_id = $1 and business_id = $2', [
        id,
        businessId,
      ])
    : []
  if (own.length === 0) throw notFound('Session')
  return presentTillSession(
    await cancelSession(ctx, businessId, id, (tx, view) => also(tx, presentTillSession(view))),
  )
}
