import type { Db, Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { failWaiting } from './endpoint.ts'

export interface MaintenanceContext {
  db: Db
  log: Log
  /** Weeks that ended before so many days are dropped. */
  retentionDays: number
}

const weeksAhead = 5
const unclaimedHours = 24
const week = 7 * 24 * 3_600_000
// A parent is locked for a moment. Whoever waits for the lock holds up all who come after, so that waiting is kept short; it ends
// before Postgres looks for deadlocks, so that of two it is always this one that gives way.
const lockTimeout = "set local lock_timeout = '500ms'"

/** The partitioned tables, what hangs on others first. */
const tables = ['webhook_attempts', 'webhook_deliveries', 'events'] as const

/**
 * Makes the weeks to come, drops those that are too old, adds up the counts, and gives up what nobody took over. Each step is a
 * transaction that one process does at a time; a step that fails is told and comes again.
 * @param at what is taken for now; the database's time unless given
 */
export async function maintain(ctx: MaintenanceContext, at?: Date): Promise<void> {
  const now = at ?? (await timeOf(ctx.db))
  for (const from of weeksFrom(now)) await step(ctx, 'make a week', (tx) => addWeek(tx, from))
  const before = new Date(now.getTime() - ctx.retentionDays * 24 * 3_600_000)
  for (const table of tables)
    for (const name of await oldPartitions(ctx.db, table, before)) await step(ctx, 'drop a week', (tx) => dropWeek(tx, table, name))
  await step(ctx, 'drop what is in no week', (tx) => dropStray(tx, before))
  await step(ctx, 'give up what nobody took over', failUnclaimed)
  for (const id of await strandedEndpoints(ctx.db)) while (await step(ctx, 'fail what waits for nobody', (tx) => failStranded(tx, id)));
  await step(ctx, 'add up the counts', foldCounts)
}

/** Events have the database's time: a process whose clock is wrong must not take them for older than they are. */
async function timeOf(db: Db): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select now()')
  if (!row) throw new Error('the database tells no time')
  return row.now
}

/** @returns what the work says; null where it failed, or another process does it now */
async function step<T>(ctx: MaintenanceContext, what: string, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  try {
    return await ctx.db.tx(async (tx) => {
      const [row] = await tx.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(hashtext('cowry webhook maintenance')) as mine")
      return row?.mine ? work(tx) : null
    })
  } catch (error) {
    ctx.log.warn({ err: messageOf(error), step: what }, 'a step of the maintenance of webhooks failed; it comes again')
    return null
  }
}

/** Mondays, from this week's on. */
function weeksFrom(now: Date): Date[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = today - ((now.getUTCDay() + 6) % 7) * 24 * 3_600_000
  return Array.from({ length: weeksAhead + 1 }, (_, i) => new Date(monday + i * week))
}

const day = (at: Date): string => at.toISOString().slice(0, 10)

async function addWeek(tx: Tx, from: Date): Promise<void> {
  const [row] = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [`events_p${day(from).replaceAll('-', '')}`])
  if (row?.there) return
  await tx.query(lockTimeout)
  await tx.query('select add_webhook_partition($1::date, $2::date)', [day(from), day(new Date(from.getTime() + week))])
}

/** A name is made of the table's and its Monday. */
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
 * One table a transaction: whoever holds the lock of one may want another's. The week's own lock is taken first, which nobody waits for; what
 * takes long is done under that one alone. Events go after the deliveries that tell of them.
 */
async function dropWeek(tx: Tx, table: string, name: string): Promise<void> {
  await tx.query(lockTimeout)
  await tx.query('select drop_webhook_week($1, $2::date)', [table, day(mondayOf(name))])
}

/** Endpoints that are removed or gone, and have something queued all the same. */
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

/** Rows come to a default partition only if nobody made weeks for a month. */
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

/** The counts know who has any; their index then finds them. */
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

/** Rows that count the same become one; a sum of nothing goes. What is added meanwhile is neither seen nor lost. */
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
