import { positive, type Settings } from '../platform/settings.ts'

/** How long an excess waits for a decision, before it is the business's. */
export const sessionSettings = {
  variables: { EXCESS_HOLD_DAYS: positive.max(365).default(30) },
} satisfies Settings
