import type { Db, Tx } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { failWaiting } from './endpoint.ts'
import { reportWithin, unreportedEndpoints } from './reportHealth.ts'

export interface MaintenanceContext {
  db: Db
  log: Log
  /** Weeks that ended more than this many days ago are dropped. */
  retentionDays: number
}

const weeksAhead = 5
const unclaimedHours = 24
/** A week in which deliveries are still attempted, after a replay, is kept for so many days more. */
const heldDays = 7
const week = 7 * 24 * 3_600_000
// A parent table is locked for a moment. Waiting for the lock blocks every later transaction, so the wait is
// short; it also ends before Postgres checks for deadlocks, so that maintenance is always the one to give
// way.
const lockTimeout = "set local lock_timeout = '500ms'"
/**
 * Every change waits while a week is made: where there are too many rows to move, an operator does it in a
 * quiet hour.
 */
const holdTimeout = "set local statement_timeout = '2s'"

/** The partitioned tables, dependent ones first. */
export const weeklyTables = ['webhook_attempts', 'webhook_deliveries', 'events'] as const

/**
 * Creates the coming weekly partitions, drops expired ones, folds the counts, and fails deliveries without an
 * endpoint after a day. Each step is a transaction that one process runs at a time; a failed step is logged
 * and retried at the next run.
 * @param at the time to use; default: the database's
 */
export async function maintain(ctx: MaintenanceContext, at?: Date): Promise<void> {
  const now = at ?? (await timeOf(ctx.db))
  for (const from of weeksFrom(now)) await step(ctx, 'create a week', (tx) => addWeek(tx, from))
  const before = new Date(now.getTime() - ctx.retentionDays * 24 * 3_600_000)
  const heldAfter = new Date(before.getTime() - heldDays * 24 * 3_600_000)
  for (const table of weeklyTables)
    for (const name of await oldPartitions(ctx.db, table, before))
      await step(ctx, 'drop a week', (tx) => dropWeek(tx, table, name, heldAfter))
  await step(ctx, 'drop rows outside the weeks', (tx) => dropStray(tx, before))
  await step(ctx, 'fail deliveries without an endpoint', failUnclaimed)
  for (const id of await strandedEndpoints(ctx.db))
    while (await step(ctx, 'fail deliveries of removed endpoints', (tx) => failStranded(tx, id)));
  for (const id of await unreportedEndpoints(ctx.db))
    await step(ctx, 'report an endpoint', (tx) => reportWithin(tx, id))
  await step(ctx, 'fold the counts', foldCounts)
}

/** Events carry the database's time: a process with a wrong clock must not drop them too early. */
async function timeOf(db: Db): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select now()')
  if (!row) throw new Error('the database returned no time')
  return row.now
}

/** @returns the result of the work; null if it failed, or if another process is running a step */
async function step<T>(
  ctx: MaintenanceContext,
  what: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  try {
    return await ctx.db.tx(async (tx) => {
      const [row] = await tx.query<{ mine: boolean }>(
        "select pg_try_advisory_xact_lock(hashtext('cowry webhook maintenance')) as mine",
      )
      return row?.mine ? work(tx) : null
    })
  } catch (error) {
    ctx.log.warn({ err: messageOf(error), step: what }, 'a step of webhook maintenance failed; it is retried')
    return null
  }
}

/** Mondays, starting with this week's. */
function weeksFrom(now: Date): Date[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = today - ((now.getUTCDay() + 6) % 7) * 24 * 3_600_000
  return Array.from({ length: weeksAhead + 1 }, (_, i) => new Date(monday + i * week))
}

const day = (at: Date): string => at.toISOString().slice(0, 10)

async function addWeek(tx: Tx, from: Date): Promise<void> {
  const [row] = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `events_p${day(from).replaceAll('-', '')}`,
  ])
  if (row?.there) return
  await tx.query(lockTimeout)
  await tx.query(holdTimeout)
  await tx.query('select add_webhook_week($1::date)', [day(from)])
}

/** A partition's name consists of the table's name and its Monday. */
async function oldPartitions(db: Db, table: string, before: Date): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname ~ $2 order by 1`,
    [table, `^${table}_p\\d{8}$`],
  )
  return rows.map(({ name }) => name).filter((name) => mondayOf(name).getTime() + week <= before.getTime())
}

function mondayOf(name: string): Date {
  const [, year, month, date] = /_p(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
}

/**
 * One table per transaction, because a holder of one lock may want another. The partition's own lock is taken
 * first, for which no transaction waits; the slow work runs under that lock alone. Events are dropped after
 * their deliveries.
 */
async function dropWeek(tx: Tx, table: string, name: string, heldAfter: Date): Promise<void> {
  const monday = mondayOf(name)
  const mayHold = monday.getTime() + week > heldAfter.getTime()
  await tx.query(lockTimeout)
  await tx.query(`select ${mayHold ? 'drop_webhook_week_unless_open' : 'drop_webhook_week'}($1, $2::date)`, [
    table,
    day(monday),
  ])
}

/** Endpoints that are removed or gone but still have queued deliveries. */
async function strandedEndpoints(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from webhook_endpoints e where (removed_at is not null or paused_reason = 'gone') and exists (select 1 from webhook_queue q where q.endpoint_id = e.id)`,
  )
  return rows.map(({ id }) => id)
}

async function failStranded(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.query(
    `select 1 from webhook_endpoints where id = $1 and (removed_at is not null or paused_reason = 'gone') for no key update`,
    [id],
  )
  return row !== undefined && failWaiting(tx, id)
}

/**
 * Rows reach a default partition only if no weeks were made in time; they go to their week when it is made.
 */
async function dropStray(tx: Tx, before: Date): Promise<void> {
  await tx.query('delete from webhook_attempts_default where created_at < $1', [before])
  await tx.query(
    `with gone as (delete from webhook_deliveries_default where created_at < $1 returning *),
     unqueued as (delete from webhook_queue q using gone where q.delivery_id = gone.id)
     insert into webhook_delivery_counts select business_id, endpoint_id, topic, type, chain, status, -count(*) from gone group by 1, 2, 3, 4, 5, 6`,
    [before],
  )
  await tx.query('delete from events_default where created_at < $1', [before])
}

/** The counts show which businesses have unclaimed deliveries; an index then finds the rows. */
async function failUnclaimed(tx: Tx): Promise<void> {
  const businesses = await tx.query<{ id: string }>(
    `select business_id as id from webhook_delivery_counts where endpoint_id is null and status = 'pending' group by 1 having sum(n) > 0`,
  )
  for (const { id } of businesses) {
    await tx.query(
      `update webhook_deliveries set status = 'failed'
       where business_id = $1 and status = 'pending' and endpoint_id is null and created_at < now() - $2 * interval '1 hour'`,
      [id, unclaimedHours],
    )
  }
}

/**
 * Folds rows of the same key into one and removes zero sums. Rows added meanwhile are not seen and not lost.
 */
async function foldCounts(tx: Tx): Promise<void> {
  await tx.query(
    `with several as (
       select business_id, endpoint_id, topic, type, chain, status from webhook_delivery_counts group by 1, 2, 3, 4, 5, 6 having count(*) > 1 or sum(n) = 0),
     taken as (
       delete from webhook_delivery_counts c using several s
       where c.business_id = s.business_id and c.endpoint_id is not distinct from s.endpoint_id and c.topic = s.topic and c.type = s.type
         and c.chain = s.chain and c.status = s.status
       returning c.*)
     insert into webhook_delivery_counts
       select business_id, endpoint_id, topic, type, chain, status, sum(n) from taken group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0`,
  )
}
