import { positive, type Settings } from '../platform/settings.ts'

/** Of the api: how many checkout pages may be open on one process. */
export const checkoutSettings = {
  variables: { CHECKOUT_PAGES: positive.default(5000) },
} satisfies Settings

/** How long an excess waits for a decision, before it is the business's. */
export const sessionSettings = {
  variables: { EXCESS_HOLD_DAYS: positive.max(365).default(30) },
} satisfies Settings
