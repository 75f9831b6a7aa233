import { callerAccount } from '../accounts/callerAccount.ts'
import { readTimeZone } from '../businesses/timeZone.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import type { Rates } from '../pricing/rates.ts'
import type { Caps } from '../rateLimits/caps.ts'
import type { CheckoutUrl } from '../sessions/checkout/checkoutToken.ts'
import { cancelTillSession } from './cancelTillSession.ts'
import { createTillSession } from './createTillSession.ts'
import { getTill } from './getTill.ts'
import { listTillSessions } from './listTillSessions.ts'

export interface TillContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  checkoutUrl: CheckoutUrl
  rates: Rates
  paymentPartner: object | null
  caps: Pick<Caps, 'openSessions'>
}

/** The till of a business. */
export const tillDashboardRoutes = (ctx: TillContext): Routes => ({
  getTill: async ({ caller }) => ({ status: 200, body: await getTill(ctx, caller.businessId) }),
  listTillSessions: async ({ caller, query }) => ({
    status: 200,
    body: await listTillSessions(
      ctx,
      caller.businessId,
      query.timeZone ?? (await readTimeZone(ctx.db, caller.businessId)),
    ),
  }),
  async createTillSession({ caller, body, remember }) {
    const by = { ...callerAccount(caller), businessId: caller.businessId }
    const session = await createTillSession(ctx, by, body, (tx, view) =>
      remember(tx, { status: 201, body: view }),
    )
    return { status: 201, body: session }
  },
  cancelTillSession: async ({ caller, params, remember }) => ({
    status: 200,
    body: await cancelTillSession(ctx, caller.businessId, params.id, (tx, view) =>
      remember(tx, { status: 200, body: view }),
    ),
  }),
})
