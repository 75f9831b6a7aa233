import type { OperationId, Routes } from '../src/http/routes.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import type { Replica } from '../src/platform/database/replica.ts'
import type { CapabilityRoutes, Route } from './routeTable.ts'

/**
 * The operations that a replica may answer: lists and exports, of the API and of the dashboard. All other operations read the primary: credentials, what a
 * decision depends on, single objects, whose caller waits for their next state, and events, whose readers wait for the next one.
 */
export const replicaReads: ReadonlySet<OperationId> = new Set<OperationId>([
  'getLedgerStatement',
  'getSessionTimeline',
  'listAddedAddresses',
  'listAllAudit',
  'listAudit',
  'listBridgeTransfers',
  'listCloses',
  'listCollections',
  'listLedgerEntries',
  'listMonitoredAddresses',
  'listMonitoringImports',
  'listPayouts',
  'listRefunds',
  'listSessions',
  'listStakes',
  'listSwaps',
  'listSweeps',
  'listTransfers',
  'listVerificationsOfBusiness',
  'listWebhooks',
])

/** The same routes; those of `replicaReads` get the pool of the replica, and that of the primary where the replica cannot be read. */
export const readingReplica = <Context extends { db: ModelDb }>(
  replica: Replica | null,
  { name, routes }: CapabilityRoutes<Context>,
): CapabilityRoutes<Context> => ({
  name,
  routes(ctx) {
    const atPrimary = routes(ctx)
    if (!replica || !Object.keys(atPrimary).some(isRead)) return atPrimary
    const atReplica = routes({ ...ctx, db: replica.db })
    return Object.fromEntries(
      Object.entries(atPrimary).map(([id, handler]) => [
        id,
        isRead(id) ? readRoute(replica, atReplica[id as OperationId] as Route, handler as Route) : handler,
      ]),
    ) as Routes
  },
})

const isRead = (id: string) => (replicaReads as ReadonlySet<string>).has(id)

const readRoute =
  (replica: Replica, atReplica: Route, atPrimary: Route): Route =>
  (request) =>
    replica.read(writersOf(request.caller), { replica: () => atReplica(request), primary: () => atPrimary(request) })

/** Whose changes a caller must see: those of its business, and its own. */
export const writersOf = ({ businessId, actor }: { businessId: string; actor: { id: string | null } }): string[] =>
  [businessId, actor.id].filter((id): id is string => id !== null && id !== '')
