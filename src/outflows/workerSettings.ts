import { positive, type Settings } from '../platform/settings.ts'
import { coinPriceSettings } from '../pricing/coinPrices.ts'
import { priceSettings } from './bank/priceSettings.ts'
import { proofSettings } from './bank/proofSettings.ts'
import { screeningSettings } from './screening/screeningSettings.ts'
import { topUpSettings } from './settings.ts'

/** Banks return a payout for so many days after it was submitted. */
export const usualReturnDays = 30
export const returnSettings = {
  variables: { PAYOUT_RETURN_DAYS: positive.default(usualReturnDays) },
} satisfies Settings

/** All that the worker reads for outflows. */
export const workerSettings = {
  variables: {
    ...topUpSettings.variables,
    ...screeningSettings.variables,
    ...coinPriceSettings.variables,
    ...proofSettings.variables,
    ...returnSettings.variables,
    ...priceSettings.variables,
  },
  mistakes: (values) => [
    ...topUpSettings.mistakes(values),
    ...screeningSettings.mistakes(values),
    ...proofSettings.mistakes(values),
  ],
} satisfies Settings
