import type { CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import type { PaymentPartner } from '../partnerPayments/partner.ts'
import type { partnerPaymentSettings } from '../partnerPayments/settings.ts'
import type { Db } from '../platform/database/db.ts'
import type { SettingValues } from '../platform/settings.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { createRateBreaker } from '../pricing/rateBreaker.ts'
import { createRates, type PartnerRates, type RatePartner } from '../pricing/rates.ts'
import { type partnerSettings, rateLimitsOf } from '../pricing/settings.ts'
import { createYellowCard } from './yellowcard/client.ts'
import { createCollectionPartner } from './yellowcard/collectionPartner.ts'
import { yellowCardFrom } from './yellowcard/fromSettings.ts'
import { createPaymentPartner } from './yellowcard/paymentPartner.ts'

type Values = SettingValues<typeof partnerSettings> & SettingValues<typeof partnerPaymentSettings>

/** What a process uses of the payout partner. */
export interface PayoutPartner {
  /** Its rates and banks, as it reports them. */
  client: RatePartner
  /** Its rates, within the deployment's limits. */
  rates: PartnerRates
  payments: PaymentPartner
  collections: CollectionPartner
}

/** The payout partner that a process is configured with; null: there is none. */
export function openPayoutPartner(ctx: { db: Db; log: Log }, values: Values): PayoutPartner | null {
  const account = yellowCardFrom(values)
  if (!account) return null
  const client = createYellowCard(account)
  const breaker = createRateBreaker({ ...ctx, partner: client, limits: rateLimitsOf(values) })
  return {
    client,
    rates: createRates({
      partner: client,
      breaker,
      log: ctx.log,
      maxAgeSeconds: values.RATE_MAX_AGE_SECONDS,
    }),
    payments: createPaymentPartner(account),
    collections: createCollectionPartner(account),
  }
}
