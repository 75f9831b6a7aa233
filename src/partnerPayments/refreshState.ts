import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { PartnerPayment, PaymentPartner } from './partner.ts'
import { PartnerError } from './partnerError.ts'
import { recordState } from './recordState.ts'

/**
 * Reads a payment from the partner, and records its state. Null: the partner has no such payment.
 * @throws ApiError 503 `partner_unavailable`
 */
export async function refreshState(
  ctx: { db: Pick<Db, 'query'>; log: Log; paymentPartner: Pick<PaymentPartner, 'name' | 'payment'> },
  paymentId: string,
): Promise<PartnerPayment | null> {
  const { name } = ctx.paymentPartner
  const askedAt = new Date()
  const payment = await ctx.paymentPartner.payment(paymentId).catch((error: unknown) => {
    if (!(error instanceof PartnerError)) throw error
    throw new ApiError(503, 'partner_unavailable', 'The partner does not answer right now; send it again', {
      retryAfterSeconds: error.retryAfterSeconds ?? 30,
      cause: error,
    })
  })
  if (payment) await recordState(ctx, name, payment, askedAt)
  else
    ctx.log.warn(
      { partner: name, partnerPaymentId: paymentId },
      'a partner reported a payment that it does not know',
    )
  return payment
}
