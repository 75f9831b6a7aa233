import { takeCollectionWebhook } from '../collections/takeCollectionWebhook.ts'
import type { Routes } from '../http/routes.ts'
import { resumeOutflow } from '../outflows/resumeOutflow.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { ApiError } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { CollectionPartner } from './collectionPartner.ts'
import type { PaymentPartner } from './partner.ts'
import { partnerNotConfigured } from './partnerNotConfigured.ts'
import { refreshState } from './refreshState.ts'

export interface PartnerPaymentRoutesContext {
  db: ModelDb
  log: Log
  /** Null without a payout partner. */
  paymentPartner: Pick<PaymentPartner, 'name' | 'payment' | 'readWebhook'> | null
  collectionPartner: Pick<CollectionPartner, 'name' | 'get'> | null
}

/**
 * Webhooks of partners. One only reports that a payment or a collection changed: its state is read from the
 * partner.
 */
export function partnerPaymentRoutes(ctx: PartnerPaymentRoutesContext): Routes {
  return {
    async receiveYellowCardWebhook({ headers, rawBody }) {
      const { paymentPartner, collectionPartner } = ctx
      if (!paymentPartner) throw partnerNotConfigured()
      const signature = headers['x-yc-signature']
      const reading = paymentPartner.readWebhook({
        rawBody: rawBody(),
        signature: typeof signature === 'string' ? signature : undefined,
      })
      if (!reading.genuine)
        throw new ApiError(
          401,
          'invalid_signature',
          'X-YC-Signature is not that of this body, or apiKey is not ours',
        )
      if (reading.collectionId !== null && collectionPartner)
        await takeCollectionWebhook({ ...ctx, partner: collectionPartner }, reading.collectionId)
      const payment =
        reading.paymentId === null ? null : await refreshState({ ...ctx, paymentPartner }, reading.paymentId)
      if (payment) await resumeOutflow(ctx.db, paymentPartner.name, payment)
      return { status: 200, body: { received: true } }
    },
  }
}
