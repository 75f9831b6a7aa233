import { ApiError, messageOf } from '../errors.ts'
import { repeat } from '../repeat.ts'
import { labelSets } from '../telemetry/labelSets.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { isCancelled, isDatabaseAway, isPoolBusy } from './databaseAway.ts'
import { openDb } from './db.ts'
import { type ModelDb, openModelDb } from './modelDb.ts'
import { endOfLog, NotAReplicaError, replayedBy } from './replicaPosition.ts'
import { createReplicaProgress } from './replicaProgress.ts'

/** Where a read was answered, and why not by the replica. */
const sources = [
  'replica',
  'primary_own_write',
  'primary_refusal',
  'primary_behind',
  'primary_failed',
] as const
type Source = (typeof sources)[number]

/** A standby of the database, for reads on which nothing is decided. */
export interface Replica {
  /** Its pool. The standby refuses writes. */
  db: ModelDb
  /**
   * Runs a read at the replica. At the primary, if the replica does not have all that was committed
   * `maxLagMs` ago, or what a reader wrote through this process; also if the replica does not find what is
   * requested, fails, or falls behind while it reads. Other refusals are the replica's, and a read that takes
   * too long is not made a second time.
   * @param readers ids of the business and the person or key that reads
   */
  read<T>(readers: readonly string[], at: { replica(): Promise<T>; primary(): Promise<T> }): Promise<T>
  /** A change of theirs was answered: they read it from now on. */
  wrote(writers: readonly string[]): void
  close(): Promise<void>
}

interface ReplicaContext {
  log: Log
  metrics: ReplicaMetrics
  stopping: AbortSignal
}

export interface ReplicaOptions {
  url: string
  primaryUrl: string
  /** Connections of its pool. */
  max: number
  times: Parameters<typeof openModelDb>[2]
  maxLagMs: number
}

/** One connection for each side: a pool that is full must not make the replica seem late. */
const lookTimes = { statementMs: 2000, waitMs: 2000 }

/** The metrics of reads, also without a replica: each series exists from the start. */
export function createReplicaMetrics(metrics: Metrics) {
  const reads = metrics.counter(
    'replica_reads_total',
    'Reads that may go to the replica, by where they were answered, and why at the primary',
    ['source'],
  )
  for (const set of labelSets({ source: sources })) reads.inc(set, 0)
  const lag = metrics.gauge(
    'replica_lag_seconds',
    'Age of the replica as this process knows it; 0 without a replica',
  )
  return { reads, lag }
}

export type ReplicaMetrics = ReturnType<typeof createReplicaMetrics>

/** Opens the pool of a standby, and follows how far it has replayed until `stopping`. */
export function openReplica(ctx: ReplicaContext, options: ReplicaOptions): Replica {
  const { maxLagMs } = options
  const db = openModelDb(options.url, options.max, options.times)
  const [primary, standby] = [openDb(options.primaryUrl, 1, lookTimes), openDb(options.url, 1, lookTimes)]
  const { reads, lag } = ctx.metrics
  const progress = createReplicaProgress()
  const [now, openedAt] = [() => performance.now(), performance.now()]
  /** When each has last written. Only the time of `maxLagMs` matters: an older replica is not read. */
  const writes = new Map<string, number>()
  /** Reads at the replica, to be given up. */
  const running = new Set<(error: Error) => void>()
  let problem: string | null = null
  /** Of a replica that is lost, too. */
  let lastKnown = openedAt

  const isBehind = () => now() - progress.replayedUntil() > maxLagMs
  function whyPrimary(readers: readonly string[]): Source | null {
    if (isBehind()) return 'primary_behind'
    return readers.some(
      (reader) => (writes.get(reader) ?? Number.NEGATIVE_INFINITY) >= progress.replayedUntil(),
    )
      ? 'primary_own_write'
      : null
  }
  const report = (next: string | null) => {
    if (next === problem) return
    problem = next
    if (next === null) ctx.log.info('the replica is read')
    else ctx.log.warn({ err: next }, 'the replica is not read')
  }

  async function look(): Promise<void> {
    const at = now()
    progress.primaryAt(at, await endOfLog(primary))
    progress.replicaAt(await replayedBy(standby, primary))
    report(isBehind() ? `it is more than ${maxLagMs} ms behind` : null)
  }
  const everyMs = Math.min(1000, Math.max(50, Math.floor(maxLagMs / 4)))
  const failed = (error: unknown) => {
    report(messageOf(error))
    if (error instanceof NotAReplicaError) progress.lose()
  }
  const looking = repeat(ctx.stopping, { everyMs, failed }, look)
  // A standby that does not answer is noticed without it.
  const timer = setInterval(() => {
    lastKnown = Math.max(lastKnown, progress.replayedUntil())
    lag.set((now() - lastKnown) / 1000)
    for (const [writer, at] of writes) if (now() - at > maxLagMs) writes.delete(writer)
    if (isBehind())
      for (const giveUp of running) giveUp(new Error('the replica fell behind while it was read'))
  }, everyMs)
  timer.unref()

  /**
   * Fails when the replica falls behind meanwhile: a standby may stand still without closing a connection.
   */
  const whileFresh = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      running.add(reject)
      void work()
        .then(resolve, reject)
        .finally(() => running.delete(reject))
    })

  return {
    db,
    async read(readers, at) {
      const why = whyPrimary(readers)
      if (why !== null) {
        reads.inc({ source: why })
        return at.primary()
      }
      try {
        const answer = await whileFresh(at.replica)
        reads.inc({ source: 'replica' })
        return answer
      } catch (error) {
        // The replica may not have it yet: the primary decides.
        if (error instanceof ApiError && error.status === 404) {
          reads.inc({ source: 'primary_refusal' })
          return at.primary()
        }
        // The primary would refuse it as well, or take as long.
        if (error instanceof ApiError || isCancelled(error)) {
          reads.inc({ source: 'replica' })
          throw error
        }
        reads.inc({ source: 'primary_failed' })
        ctx.log.warn({ err: messageOf(error) }, 'a read failed at the replica, and is made at the primary')
        if (isDatabaseAway(error) && !isPoolBusy(error)) progress.lose()
        return at.primary()
      }
    },
    wrote(writers) {
      const at = now()
      for (const writer of writers) writes.set(writer, at)
    },
    async close() {
      clearInterval(timer)
      await looking
      await Promise.all([db.close(), primary.close(), standby.close()])
    },
  }
}
