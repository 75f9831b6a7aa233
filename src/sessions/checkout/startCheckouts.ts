import type { ApiStart } from '../../capability.ts'
import type { BroughtContext } from '../../routeContext.ts'
import { checkoutSettings } from '../settings.ts'
import { createOpenCheckouts } from './openCheckouts.ts'

/** The checkout pages of the api process. */
export function startCheckouts(ctx: ApiStart): Pick<BroughtContext, 'checkouts'> {
  const { CHECKOUT_PAGES, CHECKOUT_PAGES_PER_NETWORK } = ctx.settings(checkoutSettings)
  const limits = { pages: CHECKOUT_PAGES, perNetwork: CHECKOUT_PAGES_PER_NETWORK }
  const checkouts = createOpenCheckouts(ctx, limits)
  ctx.metrics.collected('checkout_pages', 'Open checkout pages', [], (gauge) => gauge.set(checkouts.count()))
  const reading = checkouts.run(ctx.stopping)
  ctx.onStop(() => reading)
  return { checkouts }
}
