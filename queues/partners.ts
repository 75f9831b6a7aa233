import { bridgeWorkerSettings } from '../src/bridge/settings.ts'
import type { WorkerContext } from '../src/capability.ts'
import { partnerPaymentSettings } from '../src/partnerPayments/settings.ts'
import { circleFrom } from '../src/partners/circle/client.ts'
import { openExchangeRatesFrom } from '../src/partners/openexchangerates/client.ts'
import { openPayoutPartner } from '../src/partners/openPayoutPartner.ts'
import { feedSettings, partnerSettings } from '../src/pricing/settings.ts'

/** The services of other companies that handlers use. Capabilities know only their ports. */
export function openPartners({
  db,
  log,
  environment,
  settings,
}: Pick<WorkerContext, 'db' | 'log' | 'environment' | 'settings'>): Pick<
  WorkerContext,
  'partner' | 'rateFeed' | 'attestations'
> {
  return {
    partner: openPayoutPartner(
      { db, log },
      { ...settings(partnerSettings), ...settings(partnerPaymentSettings) },
    ),
    rateFeed: openExchangeRatesFrom(settings(feedSettings)),
    attestations: circleFrom(settings(bridgeWorkerSettings), environment),
  }
}
