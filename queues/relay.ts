import type { Queue } from 'bullmq'
import { outboxQueues, queueDefinitions } from '../src/capabilities.ts'
import type { RowFed } from '../src/capability.ts'
import type { Db, Tx } from '../src/platform/database/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { type OutboxQueue, outboxPolicy, type QueueName } from '../src/platform/jobs.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import { inTrace } from '../src/platform/telemetry/tracing.ts'
import { type Direct, type DirectRow, jobIdOf, jobOf } from './direct.ts'
import { createNamedRows, type NamedRows } from './namedRows.ts'

export interface RelayContext {
  db: Db
  queues: { readonly [Q in QueueName]: Queue }
  /** Does announced rows of the outbox here; null: each gets a job. */
  direct: Direct | null
  log: Log
  /** Rows announced by NOTIFY, by queue; those of the outbox by `outbox`. */
  named: ReadonlyMap<string, NamedRows>
  /** Without NOTIFY the relay reads what is due this often. */
  pollMs: number
  /** A published row that is not done after this time is published again. */
  retryMs: number
  relayed(queue: string, jobs: number): void
  signal: AbortSignal
}

const batchSize = 500

type RowSource = RowFed<never> & { name: QueueName }

/** Queues fed from rows of their own. */
const rowSources = Object.entries(queueDefinitions).flatMap(([name, definition]) =>
  definition.source === 'rows' ? [{ name, ...definition } as unknown as RowSource] : [],
)
/** What NOTIFY announces: due rows of the outbox and of queues with rows of their own. */
export const announced: readonly { name: QueueName | 'outbox'; channel: string; namesDue: boolean }[] = [
  { name: 'outbox', channel: 'cowry_outbox', namesDue: false },
  ...rowSources.map(({ name, channel, namesDue = false }) => ({ name, channel, namesDue })),
]
export const createNamed = (): Map<string, NamedRows> =>
  new Map(announced.map(({ name }) => [name, createNamedRows()]))

/**
 * Moves due jobs from Postgres to Redis until `signal` is aborted. Any number of relays may run. Between two
 * scans only what was announced is read. Each source has its own loop: what is announced to one does not wait
 * until others are scanned.
 */
export async function runRelay(ctx: RelayContext): Promise<void> {
  await Promise.all([
    runSource(ctx, 'outbox', (named, scans) => relayOutbox(ctx, scans, named)),
    ...rowSources.map((source) =>
      runSource(ctx, source.name, async (named) =>
        enqueueRows(ctx, source, named ?? (await source.due(ctx.db))),
      ),
    ),
  ])
}

/** @param relay gets what was announced; null: all that is due */
function runSource(
  ctx: RelayContext,
  name: string,
  relay: (named: string[] | null, scans: boolean) => Promise<void>,
): Promise<void> {
  const announcements = ctx.named.get(name) ?? createNamedRows()
  let scanAt = 0
  const failed = (error: unknown): void =>
    ctx.log.warn({ source: name, err: messageOf(error) }, 'the relay failed; retrying')
  return repeat(ctx.signal, { everyMs: ctx.pollMs, bell: announcements, failed }, async () => {
    const scans = Date.now() >= scanAt
    if (scans) scanAt = Date.now() + ctx.pollMs
    const named = announcements.take()
    await relay(scans ? null : named, scans)
    return Math.max(1, scanAt - Date.now())
  })
}

/**
 * A scan publishes what is due and was not taken here, so that it is left to any worker.
 * @param named empty: nothing was announced
 */
async function relayOutbox(
  ctx: RelayContext,
  scans: boolean,
  named: readonly string[] | null,
): Promise<void> {
  if (named !== null) return
  if ((await ctx.direct?.take()) && !scans) return
  while ((await relayBatch(ctx)) === batchSize);
}

interface OutboxRow extends DirectRow {
  /** The last try that was published; 0: not yet. */
  lastTry: number
}

/**
 * Publishes a batch of outbox rows, each under `outbox-<id>-<try>`. Redis drops an id that it still knows, so
 * a row that must be published again needs the next try. A row whose job still waits in Redis is not
 * published again. The claim commits after the jobs are in Redis; a crash in between publishes the same ids
 * again. A row of a queue that this version does not know is left to the later version that wrote it: both
 * may run while one takes the other's place.
 * @returns the number of claimed rows
 */
export async function relayBatch(
  ctx: Pick<RelayContext, 'db' | 'queues' | 'retryMs' | 'relayed' | 'log'>,
): Promise<number> {
  // Usually no row is due, and rarely is one over: one query instead of a transaction, or of a statement in
  // it.
  const [state] = await ctx.db.query<{ isDue: boolean; isOver: boolean }>(
    `select exists (select 1 from outbox where dead_at is null and relay_after <= now() and queue = any($1)) as "isDue",
       exists (select 1 from outbox where dead_at is null and relay_after <= now() and tries_left <= 0 and queue = any($1)) as "isOver"`,
    [outboxQueues],
  )
  if (!state?.isDue) return 0
  const claimed = await ctx.db.tx(async (tx) => {
    if (state.isOver) await giveUp(ctx, tx)
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

async function giveUp(ctx: Pick<RelayContext, 'log'>, tx: Tx): Promise<void> {
  const dead = await tx.query<{ id: string; queue: OutboxQueue }>(
    `update outbox set dead_at = now() where id in (
       select id from outbox where dead_at is null and relay_after <= now() and tries_left <= 0 and queue = any($1) for update skip locked)
     returning id, queue`,
    [outboxQueues],
  )
  for (const row of dead)
    ctx.log.error({ outboxId: row.id, queue: row.queue }, 'a job was given up: its outbox row is dead')
  for (const queue of new Set(dead.map((row) => row.queue))) await queueDefinitions[queue].onDead?.(tx)
}

/**
 * Claims due rows and sets when they are due again: later with each failed try and with age, up to the wait
 * of the last try. Their first try is counted with the claim, because no job of theirs can wait in Redis.
 */
const claim = (ctx: Pick<RelayContext, 'retryMs'>, tx: Tx): Promise<OutboxRow[]> =>
  tx.query<OutboxRow>(
    `with due as (
       select id, try from outbox where dead_at is null and relay_after <= now() and tries_left > 0 and queue = any($4) order by id limit $2 for update skip locked)
     update outbox set try = greatest(outbox.try, 1), relay_after = now() + interval '1 millisecond' *
       greatest($1 * ($3 - tries_left + 1), least(extract(epoch from now() - created_at) * 1000, $1 * $3))
     from due where outbox.id = due.id
     returning outbox.id, queue, payload, traceparent, request_id as "requestId", due.try as "lastTry"`,
    [ctx.retryMs, batchSize, outboxPolicy.tries, outboxQueues],
  )

/**
 * True if the row's last job still waits for a worker. An active job does not count: its worker may be dead,
 * which Redis learns later.
 */
async function isWaiting(queue: Queue, { id, lastTry }: OutboxRow): Promise<boolean> {
  if (lastTry === 0) return false
  const state = await queue.getJobState(jobIdOf(id, lastTry))
  return state === 'waiting' || state === 'delayed' || state === 'prioritized'
}

async function publish(
  ctx: Pick<RelayContext, 'queues' | 'relayed'>,
  tx: Tx,
  rows: readonly OutboxRow[],
): Promise<void> {
  if (rows.length === 0) return
  const again = rows.filter(({ lastTry }) => lastTry > 0).map(({ id }) => id)
  if (again.length > 0)
    await tx.query('update outbox set try = try + 1 where id = any($1::bigint[])', [again])
  for (const queue of new Set(rows.map((row) => row.queue))) {
    const jobs = rows.filter((row) => row.queue === queue)
    const attributes = {
      'messaging.system': 'bullmq',
      'messaging.operation.type': 'send',
      'messaging.destination.name': queue,
    }
    const options = {
      kind: 'producer',
      attributes: { ...attributes, 'messaging.batch.message_count': jobs.length },
    } as const
    // A batch belongs to no one of its rows.
    await inTrace(`publish ${queue}`, { ...options, links: jobs.map(({ traceparent }) => traceparent) }, () =>
      ctx.queues[queue].addBulk(jobs.map((row) => jobOf(row, row.lastTry + 1))),
    )
    ctx.relayed(queue, jobs.length)
  }
  failpoint('relay.published')
}

/**
 * Enqueues a job for each row that is due. The rows are their own outbox: a job that Redis lost or a missed
 * NOTIFY is made up for by the next scan, and a job with nothing to do costs one statement.
 * `keepLastIfActive` keeps a job that arrives while the worker is about to finish.
 */
async function enqueueRows(
  ctx: Pick<RelayContext, 'queues' | 'relayed'>,
  { name, job, enqueued }: RowSource,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await ctx.queues[name].addBulk(
    ids.map((id) => {
      const { payload, deduplicationId } = job(id)
      return { name, data: payload, opts: { deduplication: { id: deduplicationId, keepLastIfActive: true } } }
    }),
  )
  ctx.relayed(name, ids.length)
  failpoint(enqueued)
}
