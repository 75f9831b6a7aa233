import type { ApprovalSources, ShowSubjects } from './approvals/approvalSources.ts'
import type { Attestations } from './bridge/attestations.ts'
import type { ChainConnection } from './chains/connection.ts'
import type { ConfiguredChain } from './chains/registry.ts'
import type { Prover } from './custody/proof.ts'
import type { SealedColumn } from './custody/sealedColumn.ts'
import type { EventTopic } from './events/recordEvents.ts'
import type { Routes } from './http/routes.ts'
import type { OutflowEventSources, OutflowEvents } from './outflows/outflowEvents.ts'
import type { CollectionPartner } from './partnerPayments/collectionPartner.ts'
import type { PaymentPartner } from './partnerPayments/partner.ts'
import type { Db, DirectConnection, Tx } from './platform/database/db.ts'
import type { Grants } from './platform/database/grants.ts'
import type { Failpoint } from './platform/failpoints.ts'
import type { ReadinessCheck } from './platform/http/http.ts'
import type { JobPayloads, OutboxJob, OutboxQueue, QueueName } from './platform/jobs.ts'
import type { Secret } from './platform/secrets.ts'
import type { Settings, SettingValues } from './platform/settings.ts'
import type { Log } from './platform/telemetry/log.ts'
import type { Metrics } from './platform/telemetry/metrics.ts'
import type { RateFeed, Rates } from './pricing/rates.ts'
import type { BroughtContext, RouteContext } from './routeContext.ts'
import type { IntentPurpose } from './txmgr/intents.ts'
import type { WatchHandling, WatchPurpose } from './watches/purposes.ts'

/**
 * What a capability brings, for the processes, generators, dashboards and tests that read all of them
 * (`capabilities.ts`). It holds names and loads code on demand: a process imports only what it runs.
 * CONTRIBUTING.md has an example.
 */
export interface Capability {
  name: string
  /** Events that it records. The texts are shown in the dashboard. */
  events?: readonly EventTopic[]
  /** The events of its kinds of outflows. */
  outflowEvents?: OutflowEventSources
  /** Effects of decisions about its settings; its subjects as approvals show them. */
  approvals?: { settings?: Partial<ApprovalSources['settings']>; subjects?: () => Promise<ShowSubjects> }
  failpoints?: Partial<
    Record<
      | 'incoming'
      | 'sending'
      | 'swapping'
      | 'staking'
      | 'nativeStaking'
      | 'sweeping'
      | 'paying'
      | 'collecting'
      | 'bridging'
      | 'verifying'
      | 'rolling',
      readonly Failpoint[]
    >
  >
  /** Columns that it seals with the application's key. */
  sealed?: readonly SealedColumn[]
  /** Handlers of its operations: of the API alone, of the API and the dashboard, of the dashboard alone. */
  routes?: Partial<Record<'public' | 'shared' | 'dashboard', LoadRoutes>>
  /** Its tables, with the rights of each process. Those of the first version are in migrations/grants.ts. */
  tables?: Readonly<Record<string, Grants>>
  /** The variables of the environment that it reads, by the process that reads them. */
  settings?: Partial<Record<'api' | 'worker' | 'treasury', Settings>>
  /** Purposes of its watches: what the indexers match and which jobs they enqueue. */
  watches?: Partial<Record<WatchPurpose, WatchHandling>>
  /** Purposes of its intents: who makes and signs them, and the treasury's policy. */
  intents?: readonly IntentPurpose[]
  queues?: { [Q in QueueName]?: Q extends OutboxQueue ? OutboxFed<Q> : RowFed<Q> }
  /** Tasks that every worker runs each minute. Any number of workers may run them at a time. */
  maintenance?: readonly MaintenanceTask[]
  /** Makes its part of the api's context, and starts what runs in every api process. */
  startApi?(ctx: ApiStart): Promise<Partial<BroughtContext>>
  /** Starts what runs in every worker, with any queues: metrics, loops of its own. */
  startWorker?(ctx: WorkerContext): Promise<void>
}

/** Loads handlers, in the api process. */
export type LoadRoutes = () => Promise<(ctx: RouteContext) => Routes>

/** What the api process gives to capabilities when it starts. */
export interface ApiStart
  extends Pick<RouteContext, 'db' | 'log' | 'chains' | 'appKey' | 'environment' | 'issuer'> {
  metrics: Metrics
  connectionOf(chain: string): Promise<ChainConnection>
  /** Purposes of intents, of every capability. */
  purposes: readonly IntentPurpose[]
  /** The database without a pooler. */
  directUrl: string
  /** The api's values of a capability's settings. */
  settings<S extends Settings>(settings: S): SettingValues<S>
  /** Registers a check that must pass before the process is ready. */
  readyWhen(check: ReadinessCheck): void
  /** Registers a function to run when the process stops; the last registered runs first. */
  onStop(stop: () => Promise<void>): void
  /** Stops the process gracefully; with `failure` it exits with 1. */
  stop(failure?: Error): void
  /** Aborted when the stop begins. */
  stopping: AbortSignal
}

/** A payout partner: payments to banks, collections, and rates for payouts that have no price yet. */
export interface WorkerPartner {
  payments: PaymentPartner
  collections: CollectionPartner
  rates: Rates
}

/** What the worker process gives to the handlers of jobs. */
export interface WorkerContext {
  db: Db
  log: Log
  metrics: Metrics
  chains: readonly ConfiguredChain[]
  connectionOf(chain: string): Promise<ChainConnection>
  /** Purposes of intents, of every capability. */
  purposes: readonly IntentPurpose[]
  /** Proves intents that the worker makes, and requests for signatures. */
  prover: Prover
  appKey: Secret
  /** The events of payouts and refunds. */
  outflowEvents: OutflowEvents
  /** `test`: a deployment of test networks. */
  environment: 'test' | 'live'
  /** The deployment's public URL. */
  baseUrl: string
  /** Null without a payout partner. */
  partner: WorkerPartner | null
  /** The second source of rates; null without one. */
  rateFeed: RateFeed | null
  /** Circle's, of the bridge. */
  attestations: Attestations
  /** Pause between two polls for work that nothing announces. */
  pollMs: number
  /** The worker's values of a capability's settings. */
  settings<S extends Settings>(settings: S): SettingValues<S>
  /** Registers a function to run when the worker stops; the last registered runs first. */
  onStop(stop: () => Promise<void>): void
  /** Aborted when the stop starts. */
  stopping: AbortSignal
}

export interface MaintenanceContext extends Pick<WorkerContext, 'db' | 'log' | 'settings' | 'stopping'> {
  /** Connects to Postgres without a time limit for statements, for work that may take minutes. */
  openDirect(): Promise<DirectConnection>
}
export type MaintenanceTask = (ctx: MaintenanceContext) => Promise<unknown>

/** Works on jobs of one queue. */
export interface JobHandler<Payload> {
  /** @throws an error: the job is tried again */
  process(payload: Payload): Promise<void>
  /** Its work for each row is in the trace of that row: the job has no trace of its own. */
  tracesRows?: true
  /**
   * Called with the payload of each NOTIFY of the queue's channel, in every worker.
   * @param mayBegin this worker's own transaction notified, and it takes jobs of the queue
   * @returns true if what it names is in work here, so that it needs no job
   */
  notified?(id: string, mayBegin: boolean): boolean
  /** Resolves when nothing runs. Called after the last job has ended. */
  drain?(): Promise<void>
}

interface QueueOf<Payload> {
  /** Loads and creates the handler, in the worker. */
  start(ctx: WorkerContext): Promise<JobHandler<Payload>>
  /** Jobs at once in a worker; default: `WORKER_CONCURRENCY`. */
  concurrency?(ctx: Pick<WorkerContext, 'settings'>): number
}

/** A queue whose jobs are written to the outbox in the transaction of their cause (`enqueue`). */
export interface OutboxFed<Q extends OutboxQueue> extends QueueOf<OutboxJob<Q>> {
  source: 'outbox'
  /** Its work is short: a worker that is notified of a row does it at once, without a job in Redis. */
  direct?: true
  /** Runs in the transaction that gives up jobs of this queue. */
  onDead?(tx: Tx): Promise<unknown>
}

/**
 * A queue fed from rows of the capability's own: rows that are due are their own outbox, and a lost job is
 * made up for by the next scan.
 */
export interface RowFed<Q extends QueueName> extends QueueOf<JobPayloads[Q]> {
  source: 'rows'
  /** Postgres notifies on it that rows are due. */
  channel: string
  /** True if a NOTIFY carries the id of what is due: between scans only named ids are enqueued. */
  namesDue?: boolean
  /** Ids of what is due. */
  due(db: Db): Promise<string[]>
  job(id: string): { payload: JobPayloads[Q]; deduplicationId: string }
  /** Reached after jobs are in Redis. */
  enqueued: Failpoint
}
