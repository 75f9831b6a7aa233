import type { Settings } from '../platform/settings.ts'
import { coinPriceSettings } from '../sweeps/coinPrices.ts'
import { screeningSettings } from './screeningSettings.ts'
import { topUpSettings } from './settings.ts'

/** All that the worker reads for outflows. */
export const workerSettings = {
  variables: { ...topUpSettings.variables, ...screeningSettings.variables, ...coinPriceSettings.variables },
  mistakes: (values) => [...topUpSettings.mistakes(values), ...screeningSettings.mistakes(values)],
} satisfies Settings
