import type { Routes } from '../http/routes.ts'
import { ApiError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import type { PaymentPartner } from './partner.ts'
import { refreshState } from './refreshState.ts'

export interface PartnerPaymentRoutesContext {
  db: ModelDb
  log: Log
  paymentPartner: Pick<PaymentPartner, 'name' | 'payment' | 'readWebhook'>
}

/** Webhooks of partners. One only says that a payment changed: its state is asked for. */
export function partnerPaymentRoutes(ctx: PartnerPaymentRoutesContext): Routes {
  return {
    async receiveYellowCardWebhook({ headers, rawBody }) {
      const signature = headers['x-yc-signature']
      const reading = ctx.paymentPartner.readWebhook({ rawBody: rawBody(), signature: typeof signature === 'string' ? signature : undefined })
      if (!reading.genuine) throw new ApiError(401, 'invalid_signature', 'X-YC-Signature is not that of this body, or apiKey is not ours')
      if (reading.paymentId !== null) await refreshState(ctx, reading.paymentId)
      return { status: 200, body: { received: true } }
    },
  }
}
