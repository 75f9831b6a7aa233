import type { Chain } from '../chains/registry.ts'
import { recordEvents } from '../events/recordEvents.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUuid } from '../platform/ids.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readHeights } from './readHeights.ts'
import { readPayments } from './readPayments.ts'
import { readRefunds } from './readRefunds.ts'
import { sessionEvent } from './sessionEvent.ts'

/**
 * Cancels a pending session without payments.
 * @throws ApiError 404; 409 `session_not_pending`; 409 `payment_seen` once a payment was seen
 */
export async function cancelSession(
  ctx: { db: ModelDb; chains: readonly Chain[]; checkoutUrl: CheckoutUrl },
  businessId: string,
  id: string,
  also: (tx: ModelTx, result: SessionView) => Promise<void>,
): Promise<SessionView> {
  if (!isUuid(id)) throw notFound('Session')
  const view = await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    const session = await sessionModel(ctx.db.sequelize).findOne({
      where: { id, businessId },
      transaction,
      lock: transaction.LOCK.UPDATE,
    })
    if (!session) throw notFound('Session')
    if (session.status !== 'pending')
      throw new ApiError(
        409,
        'session_not_pending',
        `The session is ${session.status}; only a pending session can be cancelled`,
      )
    const payments = await readPayments(tx, [id])
    if (payments.some((payment) => payment.status !== 'reverted')) {
      throw new ApiError(
        409,
        'payment_seen',
        'A payment to this session was seen; it can no longer be cancelled',
      )
    }
    session.status = 'cancelled'
    session.cancelledAt = new Date()
    await session.save({ transaction })
    const view = presentSession(
      session,
      payments,
      { ...ctx, heights: await readHeights(tx) },
      await readRefunds(tx, [id]),
    )
    recordEvents(tx, businessId, [sessionEvent('session.cancelled', view)])
    await also(tx, view)
    return view
  })
  failpoint('api.session-cancelled')
  return view
}
