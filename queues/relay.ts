import type { Queue } from 'bullmq'
import { failDeadAdditions } from '../src/monitoring/additions.ts'
import type { Db, Tx } from '../src/platform/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { type OutboxQueue, outboxPolicy } from '../src/platform/jobs.ts'
import type { Log } from '../src/platform/log.ts'
import type { Bell } from '../src/platform/wait.ts'
import { dueIntents } from '../src/txmgr/dueIntents.ts'
import { dueEndpoints } from '../src/webhooks/dueEndpoints.ts'

export interface RelayContext {
  db: Db
  queues: { [Q in OutboxQueue]: Queue } & { 'webhook-delivery': Queue; txmgr: Queue }
  log: Log
  /** Rung by NOTIFY; without it the relay polls every `pollMs`. */
  bell: Bell
  /** Endpoints named by a NOTIFY. */
  named: NamedEndpoints
  pollMs: number
  /** A published row that is not done after this time is published again. */
  retryMs: number
  relayed(queue: string, jobs: number): void
  signal: AbortSignal
}

const batchSize = 500

/** Endpoints to signal without a query for those that are due. */
export interface NamedEndpoints {
  /** @param endpointId undefined: unknown; all due endpoints are read */
  note(endpointId: string | undefined): void
  /** Returns the ids noted since the last call and clears them; null: read all due endpoints. */
  take(): string[] | null
}

export function createNamedEndpoints(): NamedEndpoints {
  let all = true
  let ids = new Set<string>()
  return {
    note(endpointId) {
      if (endpointId) ids.add(endpointId)
      else all = true
    },
    take() {
      const taken = all ? null : [...ids]
      all = false
      ids = new Set()
      return taken
    },
  }
}

/** Moves due jobs from Postgres to Redis until `signal` is aborted. Any number of relays may run. */
export async function runRelay(ctx: RelayContext): Promise<void> {
  let scanAt = 0
  while (!ctx.signal.aborted) {
    try {
      while ((await relayBatch(ctx)) === batchSize);
      const named = ctx.named.take()
      const scan = named === null || Date.now() >= scanAt
      if (scan) scanAt = Date.now() + ctx.pollMs
      await signalEndpoints(ctx, scan ? await dueEndpoints(ctx.db) : named)
      await enqueueDueIntents(ctx)
    } catch (error) {
      ctx.log.warn({ err: messageOf(error) }, 'the relay failed; retrying')
    }
    await ctx.bell.wait(ctx.pollMs, ctx.signal)
  }
}

interface OutboxRow {
  id: string
  queue: OutboxQueue
  payload: object
  try: number
}

const jobIdOf = ({ id, try: number }: Pick<OutboxRow, 'id' | 'try'>) => `outbox-${id}-${number}`

/**
 * Publishes a batch of outbox rows, each under `outbox-<id>-<try>`. Redis drops an id that it still knows, so a row
 * that must be published again needs the next try. A row whose job still waits in Redis is not published again. The
 * claim commits after the jobs are in Redis; a crash in between publishes the same ids again.
 * @returns the number of claimed rows
 */
export async function relayBatch(ctx: Pick<RelayContext, 'db' | 'queues' | 'retryMs' | 'relayed' | 'log'>): Promise<number> {
  // Usually no row is due: one query instead of a transaction's four round trips.
  const [due] = await ctx.db.query('select 1 from outbox where dead_at is null and relay_after <= now() limit 1')
  if (!due) return 0
  const claimed = await ctx.db.tx(async (tx) => {
    const dead = await tx.query<{ id: string; queue: string }>(
      `update outbox set dead_at = now() where id in (
         select id from outbox where dead_at is null and relay_after <= now() and tries_left <= 0 for update skip locked)
       returning id, queue`,
    )
    for (const row of dead) ctx.log.error({ outboxId: row.id, queue: row.queue }, 'a job was given up: its outbox row is dead')
    if (dead.some(({ queue }) => queue === 'additions')) await failDeadAdditions(tx)
    const rows = await claim(ctx, tx)
    const waiting = await Promise.all(rows.map((row) => isWaiting(ctx.queues[row.queue], row)))
    await publish(
      ctx,
      tx,
      rows.filter((_, index) => !waiting[index]),
    )
    return rows.length
  })
  if (claimed > 0) failpoint('relay.claimed')
  return claimed
}

/**
 * Claims due rows and sets when they are due again: later with each failed try and with age, up to the wait of the last
 * try.
 */
const claim = (ctx: Pick<RelayContext, 'retryMs'>, tx: Tx): Promise<OutboxRow[]> =>
  tx.query<OutboxRow>(
    `update outbox set relay_after = now() + interval '1 millisecond' *
       greatest($1 * ($3 - tries_left + 1), least(extract(epoch from now() - created_at) * 1000, $1 * $3))
     where id in (select id from outbox where dead_at is null and relay_after <= now() and tries_left > 0 order by id limit $2 for update skip locked)
     returning id, queue, payload, try`,
    [ctx.retryMs, batchSize, outboxPolicy.tries],
  )

/**
 * True if the row's last job still waits for a worker. An active job does not count: its worker may be dead, which
 * Redis learns later.
 */
async function isWaiting(queue: Queue, row: OutboxRow): Promise<boolean> {
  if (row.try === 0) return false
  const state = await queue.getJobState(jobIdOf(row))
  return state === 'waiting' || state === 'delayed' || state === 'prioritized'
}

async function publish(ctx: Pick<RelayContext, 'queues' | 'relayed'>, tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query('update outbox set try = try + 1 where id = any($1::bigint[])', [rows.map(({ id }) => id)])
  for (const queue of new Set(rows.map((row) => row.queue))) {
    const jobs = rows.filter((row) => row.queue === queue)
    await ctx.queues[queue].addBulk(
      jobs.map((row) => ({
        name: queue,
        data: { ...row.payload, outboxId: row.id },
        opts: {
          jobId: jobIdOf({ id: row.id, try: row.try + 1 }),
          attempts: outboxPolicy.attemptsPerTry,
          backoff: { type: 'exponential', delay: outboxPolicy.backoffMs },
        },
      })),
    )
    ctx.relayed(queue, jobs.length)
  }
  failpoint('relay.published')
}

/**
 * Enqueues a job for each endpoint with due deliveries. The delivery rows are their own outbox: a job that Redis lost
 * or a missed NOTIFY is made up for by the next scan. `keepLastIfActive` keeps a job that arrives while the worker is
 * about to finish.
 */
export async function signalEndpoints(ctx: Pick<RelayContext, 'queues' | 'relayed'>, endpoints: readonly string[]): Promise<void> {
  if (endpoints.length === 0) return
  await ctx.queues['webhook-delivery'].addBulk(
    endpoints.map((endpointId) => ({
      name: 'webhook-delivery',
      data: { endpointId },
      opts: { deduplication: { id: `endpoint-${endpointId}`, keepLastIfActive: true } },
    })),
  )
  ctx.relayed('webhook-delivery', endpoints.length)
  failpoint('webhook-delivery.woken')
}

/**
 * Enqueues a job for each intent that is due. The row is its own outbox; a job with nothing to do costs
 * one statement.
 */
async function enqueueDueIntents(ctx: RelayContext): Promise<void> {
  const due = await dueIntents(ctx.db)
  if (due.length === 0) return
  await ctx.queues.txmgr.addBulk(
    due.map((intentId) => ({
      name: 'txmgr',
      data: { intentId },
      opts: { deduplication: { id: `txmgr-${intentId}`, keepLastIfActive: true } },
    })),
  )
  ctx.relayed('txmgr', due.length)
  failpoint('txmgr.enqueued')
}
