import type { Counter } from 'prom-client'
import type { Db } from '../src/platform/database/db.ts'
import type { Replica } from '../src/platform/database/replica.ts'
import type { ReadinessCheck } from '../src/platform/http/http.ts'
import type { Priority } from '../src/platform/priority.ts'
import type { Metrics } from '../src/platform/telemetry/metrics.ts'
import type { RouteContext } from '../src/routeContext.ts'
import type { BodiesInFlight } from './middleware/bodiesInFlight.ts'
import type { RequestLimits } from './middleware/limits.ts'
import type { Streams } from './streams/createStreams.ts'

/** What serving a contract needs. */
export type ServeContext = Pick<
  ApiContext,
  | 'bodies'
  | 'brokenAnswers'
  | 'limiter'
  | 'log'
  | 'refusals'
  | 'requestLimits'
  | 'stopping'
  | 'validateResponses'
> & {
  db: Db
  /** Milliseconds for a JSON body to arrive, where the server's limit for a request is longer. */
  bodyMs?: number
}

/** Everything the HTTP process uses. */
export interface ApiContext extends RouteContext {
  metrics: Metrics
  /** For lists and exports (`replicaReads`). */
  replica: Replica | null
  requestLimits: RequestLimits
  /** How long the answer to an `Idempotency-Key` is kept when no money moved. */
  idempotencyDays: number
  bodies: BodiesInFlight
  /** Connections and requests refused before any work, by `reason`. */
  refusals: Counter
  /** Networks of trusted reverse proxies. */
  trustedProxies: string[]
  /** The folder of the built dashboard. */
  dashboardFolder: string
  /** Answers that broke a contract. */
  brokenAnswers: Counter
  /** `enforce`: an answer that breaks the contract is a 500. `count`: it is sent, logged and counted. */
  validateResponses: 'enforce' | 'count'
  /** Aborted when the process stops. */
  stopping: AbortSignal
  /** Open WebSockets of quotes. */
  streams: Streams
  /** Requests go before background work of the same process. */
  priority: Pick<Priority, 'begin'>
  /** Checks for `/health/ready`. */
  checks(): readonly ReadinessCheck[]
}
