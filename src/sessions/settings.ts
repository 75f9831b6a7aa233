import { positive, type Settings } from '../platform/settings.ts'

/** Of the api: how many checkout pages may be open on one process, in all and of one network. */
export const checkoutSettings = {
  variables: { CHECKOUT_PAGES: positive.default(1500), CHECKOUT_PAGES_PER_NETWORK: positive.default(200) },
} satisfies Settings

/** How long an excess waits for a decision, before it is the business's. */
export const sessionSettings = {
  variables: { EXCESS_HOLD_DAYS: positive.max(365).default(30) },
} satisfies Settings
