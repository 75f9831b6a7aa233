import type { ApiStart } from '../../capability.ts'
import type { BroughtContext } from '../../routeContext.ts'
import { checkoutSettings } from '../settings.ts'
import { createOpenCheckouts } from './openCheckouts.ts'

/** The checkout pages of the api process. */
export function startCheckouts(ctx: ApiStart): Pick<BroughtContext, 'checkouts'> {
  const checkouts = createOpenCheckouts(ctx, ctx.settings(checkoutSettings).CHECKOUT_PAGES)
  ctx.metrics.collected('checkout_pages', 'Open checkout pages', [], (gauge) => gauge.set(checkouts.count()))
  const reading = checkouts.run(ctx.stopping)
  ctx.onStop(() => reading)
  return { checkouts }
}
