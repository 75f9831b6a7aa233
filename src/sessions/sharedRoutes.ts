import type { Chain, ConfiguredChain } from '../chains/registry.ts'
import type { Prover } from '../custody/proof.ts'
import type { Routes } from '../http/routes.ts'
import type { OutflowEvents } from '../outflows/outflowEvents.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery, withTimes } from '../platform/pages.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { getSession } from './getSession.ts'
import { listSessions } from './listSessions.ts'
import { resolveSession } from './resolveSession.ts'
import { paymentRoutes, type SessionRoutesContext } from './routes.ts'
import { sessionsCsv } from './sessionsCsv.ts'

export interface SharedSessionContext {
  db: ModelDb
  chains: readonly Chain[]
  checkoutUrl: CheckoutUrl
}

export interface SharedSessionRoutesContext extends SharedSessionContext, SessionRoutesContext {
  chains: readonly ConfiguredChain[]
  appKey: Secret
  outflowEvents: OutflowEvents
  log: Log
  excessHoldDays: number
  txmgr: { prover: Prover }
}

/** Payment sessions, to start, to read and to decide about: by API and in the dashboard. */
export const sharedSessionRoutes = (ctx: SharedSessionRoutesContext): Routes => ({
  ...paymentRoutes(ctx),
  async listSessions({ query, caller: { businessId }, form, waits, goesOn }) {
    if (form === 'csv') {
      const { page: _, limit: __, cursor: ___, sort = 'DESC', ...filter } = query
      return {
        status: 200,
        body: {},
        stream: sessionsCsv(ctx, businessId, withTimes(filter), sort, { ...waits(), goesOn }),
        file: { type: 'text/csv; charset=utf-8; header=present', name: 'payments.csv' },
      }
    }
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listSessions(ctx, businessId, filter, request) }
  },
  getSession: async ({ params, caller }) => ({
    status: 200,
    body: await getSession(ctx, caller.businessId, params.id),
  }),
  resolveSession: async ({ params, body, caller, remember }) => ({
    status: 200,
    body: await resolveSession(
      { ...ctx, maker: { madeBy: 'api', prover: ctx.txmgr.prover } },
      caller.businessId,
      params.id,
      body.resolution,
      (tx, { view, ...change }) => remember(tx, { status: 200, body: view }, change),
    ),
  }),
})
