import type { Answer } from '../src/http/request.ts'
import type { OperationId, Routes } from '../src/http/routes.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import type { Replica } from '../src/platform/database/replica.ts'
import type { StreamPiece } from '../src/platform/http/bodies.ts'
import type { CapabilityRoutes, Route } from './routeTable.ts'

/**
 * The operations that a replica may answer: lists and exports, of the API and of the dashboard. All other
 * operations read the primary: credentials, what a decision depends on, single objects, whose caller waits
 * for their next state, and events, whose readers wait for the next one.
 *
 * Nothing here may read what only the primary knows: its clock, its locks, its open transactions. A standby
 * answers with its own, and wrongly. So a statement is not here: it shows until when the books are final, by
 * the locks of postings that are not committed yet.
 */
export const replicaReads: ReadonlySet<OperationId> = new Set<OperationId>([
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
  'listPaymentLinks',
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

/**
 * The same routes; those of `replicaReads` get the pool of the replica, and that of the primary where the
 * replica cannot be read.
 */
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
    replica.read(writersOf(request.caller), {
      replica: async () => begun(await atReplica(request)),
      primary: () => atPrimary(request),
    })

/**
 * A file that has its first piece: until then it has read nothing, and could not be answered by the primary.
 */
async function begun(answer: Answer): Promise<Answer> {
  if (!answer.stream) return answer
  return { ...answer, stream: startingWith(await answer.stream.next(), answer.stream) }
}

type Pieces = AsyncGenerator<StreamPiece, void, undefined>

/** The pieces of `rest` after one that was taken from it. To end these ends `rest`. */
function startingWith(taken: IteratorResult<StreamPiece, void>, rest: Pieces): Pieces {
  let first: typeof taken | null = taken
  const pieces: Pieces = {
    async next() {
      const piece = first
      first = null
      return piece ?? rest.next()
    },
    return(value) {
      first = null
      return rest.return(value)
    },
    throw(error) {
      first = null
      return rest.throw(error)
    },
    [Symbol.asyncIterator]: () => pieces,
    async [Symbol.asyncDispose]() {
      await pieces.return()
    },
  }
  return pieces
}

/** Whose changes a caller must see: those of its business, and its own. */
export const writersOf = ({
  businessId,
  actor,
}: {
  businessId: string
  actor: { id: string | null }
}): string[] => [businessId, actor.id].filter((id): id is string => id !== null && id !== '')
