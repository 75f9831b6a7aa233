import type { ApiContext, Route } from '../context.ts'
import { cancelSessionRoute } from './cancelSession.ts'
import { createSessionRoute } from './createSession.ts'
import { explainTransactionRoute } from './explainTransaction.ts'
import { getFinalityRoute, setFinalityRoute } from './finality.ts'
import { getSessionRoute } from './getSession.ts'
import { listBanksRoute } from './listBanks.ts'
import { listAllNetworksRoute, listNetworksRoute } from './listNetworks.ts'
import { listSessionsRoute } from './listSessions.ts'
import { listWebhooksRoute } from './listWebhooks.ts'
import { quoteSessionRoute } from './quoteSession.ts'

/** What answers each operation of the contract. */
export function routes(ctx: ApiContext): Record<string, Route> {
  return {
    createSession: createSessionRoute(ctx) as Route,
    listSessions: listSessionsRoute(ctx) as Route,
    getSession: getSessionRoute(ctx),
    cancelSession: cancelSessionRoute(ctx),
    quoteSession: quoteSessionRoute(ctx) as Route,
    listAllNetworks: listAllNetworksRoute(ctx),
    listNetworks: listNetworksRoute(ctx) as Route,
    listBanks: listBanksRoute(ctx) as Route,
    listWebhooks: listWebhooksRoute(ctx) as Route,
    explainTransaction: explainTransactionRoute(ctx),
    getFinality: getFinalityRoute(ctx),
    setFinality: setFinalityRoute(ctx) as Route,
  }
}
