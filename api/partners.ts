import { bridgeApiSettings } from '../src/bridge/settings.ts'
import type { ApiStart } from '../src/capability.ts'
import { partnerPaymentSettings } from '../src/partnerPayments/settings.ts'
import { circleFrom } from '../src/partners/circle/client.ts'
import { openPayoutPartner } from '../src/partners/openPayoutPartner.ts'
import { swapProvidersFrom } from '../src/partners/swapProviders.ts'
import { createBankList } from '../src/pricing/bankList.ts'
import { createFeedReader, createPriceRates } from '../src/pricing/priceRates.ts'
import { openExchangeRates, pricingSettings } from '../src/pricing/settings.ts'
import type { RouteContext } from '../src/routeContext.ts'
import { swapSettings } from '../src/swaps/settings.ts'

type Partners = Pick<
  RouteContext,
  'rates' | 'payoutRates' | 'banks' | 'paymentPartner' | 'collectionPartner' | 'attestations' | 'swaps'
>

/** The services of other companies that routes use. Capabilities know only their ports. */
export function openPartners({ db, log, metrics, environment, settings }: ApiStart): Partners {
  const values = { ...settings(pricingSettings), ...settings(partnerPaymentSettings) }
  const partner = openPayoutPartner({ db, log }, values)
  if (partner === null)
    log.info(
      'no payout partner (YELLOWCARD_API_KEY is not set): payouts go to wallets only, and the list of banks is empty',
    )
  const second = { name: openExchangeRates, url: values.OPENEXCHANGERATES_URL }
  return {
    rates: createPriceRates({
      log,
      partner: partner?.rates ?? null,
      feed: createFeedReader(db, second, values.OPENEXCHANGERATES_MAX_AGE_SECONDS),
      fixed: values.RATES,
      fixedMaxAgeDays: values.RATES_MAX_AGE_DAYS,
      maxDifferencePercent: values.RATES_MAX_DIFFERENCE_PERCENT,
    }),
    payoutRates: partner?.rates ?? null,
    banks: partner && createBankList({ db, log, partner: partner.client }),
    paymentPartner: partner?.payments ?? null,
    collectionPartner: partner?.collections ?? null,
    attestations: circleFrom(settings(bridgeApiSettings), environment),
    swaps: swapProvidersFrom(settings(swapSettings), metrics),
  }
}
