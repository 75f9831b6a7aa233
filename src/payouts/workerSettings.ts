import type { Settings } from '../platform/settings.ts'
import { screeningSettings } from './screeningSettings.ts'
import { topUpSettings } from './settings.ts'

/** All that the worker reads for outflows. */
export const workerSettings = {
  variables: { ...topUpSettings.variables, ...screeningSettings.variables },
  mistakes: (values) => [...topUpSettings.mistakes(values), ...screeningSettings.mistakes(values)],
} satisfies Settings
