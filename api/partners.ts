import { bridgeApiSettings } from '../src/bridge/settings.ts'
import type { ApiStart } from '../src/capability.ts'
import { partnerPaymentSettings } from '../src/partnerPayments/settings.ts'
import { circleFrom } from '../src/partners/circle/client.ts'
import { openPayoutPartner } from '../src/partners/openPayoutPartner.ts'
import { swapProvidersFrom } from '../src/partners/swapProviders.ts'
import { createBankList } from '../src/pricing/bankList.ts'
import { pricingSettings } from '../src/pricing/settings.ts'
import type { RouteContext } from '../src/routeContext.ts'
import { swapSettings } from '../src/swaps/settings.ts'

type Partners = Pick<
  RouteContext,
  'rates' | 'banks' | 'paymentPartner' | 'collectionPartner' | 'attestations' | 'swaps'
>

/** The services of other companies that routes use. Capabilities know only their ports. */
export function openPartners({ db, log, metrics, environment, settings }: ApiStart): Partners {
  const values = { ...settings(pricingSettings), ...settings(partnerPaymentSettings) }
  const partner = openPayoutPartner({ db, log }, values)
  if (partner === null)
    log.info(
      'no payout partner (YELLOWCARD_API_KEY is not set): prices are in the token only, and the list of banks is empty',
    )
  return {
    rates: partner?.rates ?? null,
    banks: partner && createBankList({ db, log, partner: partner.client }),
    paymentPartner: partner?.payments ?? null,
    collectionPartner: partner?.collections ?? null,
    attestations: circleFrom(settings(bridgeApiSettings), environment),
    swaps: swapProvidersFrom(settings(swapSettings), metrics),
  }
}
