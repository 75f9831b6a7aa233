import type { Queryable } from '../platform/db.ts'
import type { AttemptResult } from './attempt.ts'
import { type Claimed, spanOf } from './messages.ts'
import { nextWait } from './schedule.ts'

/** An attempt that has ended. */
export interface Ended {
  claimed: Claimed
  /** Where it was sent. */
  url: string
  startedAt: Date
  result: AttemptResult
}

/** An endpoint as it is after the turn. */
export interface DueEndpoint {
  id: string
  business_id: string
  url: string
  sealed_secret: Buffer
  previous_sealed_secret: Buffer | null
  previous_until: Date | null
  consecutive_failures: number
  /** False: it is paused or removed. */
  open: boolean
  /** It has failed for so long that it is to be paused. */
  overdue: boolean
}

export interface Turn {
  /** Null: there is none. */
  endpoint: DueEndpoint | null
  claimed: Claimed[]
  /** How many deliveries were given up. */
  failed: number
}

interface TurnOptions {
  /** Attempts at a time: of an endpoint, and of one in trouble. */
  cap: number
  troubledCap: number
  deadlineMs: number
  /** Milliseconds before each attempt. */
  schedule: readonly number[]
  pauseAfterMs: number
  /** How much longer an endpoint in trouble is left alone with each failure. */
  stepMs: number
}

/** An endpoint with so many failures in a row is in trouble. */
export const troubledFrom = 3
/** An endpoint in trouble is left alone for longer with each failure, up to this. */
const longestPauseMs = 60_000
/** A receiver that asks to be left alone is, for a day at most. */
const longestWish = 24 * 3_600_000

type TurnRow = DueEndpoint & Claimed & { delivery_id: string | null; failed: number }

/**
 * Stores what came of attempts, theirs, their deliveries' and their endpoint's, and claims attempts that are due, so that no more than
 * the cap are under way at once, whoever makes them.
 *
 * One statement, because each costs as much as an attempt. It sees the database as of its beginning, and must know what others claimed: so
 * every turn changes the endpoint's row, and one that finds it changed since its beginning does nothing and is taken again. Everything else
 * hangs on that row, so that it is locked first; without it nothing is claimed (no limit at all would be what Postgres makes of a null). (Measured beside a transaction of five statements: a third of the database's time.)
 *
 * What is delivered is done, whatever happened meanwhile. A failure counts only while it is the latest attempt: after another claim the next
 * one decides. Where a replay began a new round meanwhile, a failure makes the delivery due at once. An attempt is counted before it is
 * made and its claim runs out after twice its deadline: a crash in between means one attempt more, never one fewer, because what was claimed
 * and never recorded is told among the attempts, but uses up none of the schedule. What a receiver asks for by `Retry-After` holds for
 * all that waits for its endpoint. What a receiver says at an address that the endpoint had before says nothing of the endpoint: of a failure
 * there its own attempt is kept, and the delivery is due at once.
 * @param ended of deliveries that all differ, sent to one address
 */
export async function takeTurn(db: Queryable, endpointId: string, ended: readonly Ended[], options: TurnOptions): Promise<Turn> {
  const values = [
    endpointId,
    ...valuesOf(ended, options),
    ...healthOf(ended),
    options.pauseAfterMs,
    options.cap,
    options.troubledCap,
    options.deadlineMs * 2,
    Math.max(0, ...ended.map(({ result }) => Math.min(result.retryAfterMs ?? 0, longestWish))),
    options.stepMs,
    longestPauseMs,
    ended[0]?.url ?? null,
  ]
  for (;;) {
    const rows = await db.query<TurnRow>(statement, values)
    const [endpoint] = rows
    if (endpoint) return { endpoint, claimed: rows.filter((row) => row.delivery_id !== null), failed: endpoint.failed }
    const [found] = await db.query('select 1 from webhook_endpoints where id = $1', [endpointId])
    if (!found) return { endpoint: null, claimed: [], failed: 0 }
  }
}

export async function isInTrouble(db: Queryable, endpointId: string): Promise<boolean> {
  const [row] = await db.query<{ n: number }>('select consecutive_failures as n from webhook_endpoints where id = $1', [endpointId])
  return (row?.n ?? 0) >= troubledFrom
}

const statement = `
  with heard as materialized (
    select version, here, here and $15 as good, case when here then $16 else 0 end as bad, case when here then $17::text end as error
    from (select xmin as version, coalesce(url = $25, true) as here from webhook_endpoints where id = $1) seen),
  endpoint as (
    update webhook_endpoints e set
      consecutive_failures = case when h.good then h.bad else e.consecutive_failures + h.bad end,
      failing_since = case when h.bad > 0 then case when h.good then now() else coalesce(e.failing_since, now()) end when h.good then null else e.failing_since end,
      last_delivered_at = case when h.good then now() else e.last_delivered_at end,
      last_failed_at = case when h.error is null then e.last_failed_at else now() end,
      last_error = coalesce(h.error, e.last_error),
      not_before = case when h.bad > 0 then greatest(now() + $22 * interval '1 millisecond',
          now() + least($24, $23 * (case when h.good then h.bad else e.consecutive_failures + h.bad end - ${troubledFrom + 1})) * interval '1 millisecond')
        when h.good then null else e.not_before end
    from heard h where e.id = $1 and e.xmin = h.version
    returning e.*, h.here, e.status = 'active' and e.removed_at is null as open,
      h.error is not null and e.failing_since <= now() - $18 * interval '1 millisecond' as overdue),
  r as materialized (
    select u.*, case when e.here or u.became = 'delivered' then u.became else 'pending' end as status, case when e.here then u.due_in else 0 end as wait
    from endpoint e, unnest($2::uuid[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[], $7::float8[], $8::timestamptz[],
      $9::integer[], $10::integer[], $11::text[], $12::text[]) as u(id, created_at, number, tries, became, due_in, started_at, ms, code, body, error)),
  done as (
    delete from webhook_queue q using r where q.delivery_id = r.id
      and (r.status = 'delivered' or (r.status = 'failed' and q.attempts = r.number and q.tries >= r.tries)) returning q.delivery_id, r.status),
  again as (
    update webhook_queue q set claimed_until = null,
      next_attempt_at = now() + case when q.tries < r.tries then 0 else r.wait end * interval '1 millisecond'
    from r where q.delivery_id = r.id and q.attempts = r.number and (r.status = 'pending' or (r.status = 'failed' and q.tries < r.tries))),
  told as (
    update webhook_deliveries d set status = coalesce(done.status, case when r.status = 'delivered' then 'delivered' end, d.status),
      attempts_count = greatest(d.attempts_count, r.number),
      delivered_at = case when r.status = 'delivered' then coalesce(d.delivered_at, now()) else d.delivered_at end
    from r left join done on done.delivery_id = r.id
    where d.id = r.id and d.created_at = r.created_at and d.created_at between $13 and $14),
  attempts as (
    insert into webhook_attempts (delivery_id, created_at, number, started_at, duration_ms, response_status, response_body, error)
    select id, created_at, number, started_at, ms, code, body, error from r
    on conflict (delivery_id, number, created_at) do update set started_at = excluded.started_at, duration_ms = excluded.duration_ms,
      response_status = excluded.response_status, response_body = excluded.response_body, error = excluded.error),
  under_way as (
    select count(*) as n from webhook_queue
    where endpoint_id = $1 and next_attempt_at > now() and next_attempt_at <= now() + $21 * interval '1 millisecond' + interval '1 minute' and claimed_until > now()
      and delivery_id <> all($2::uuid[])),
  due as materialized (
    select q.delivery_id, q.created_at, q.attempts, q.claimed_until from webhook_queue q
    where q.endpoint_id = $1 and q.next_attempt_at <= now() and q.delivery_id <> all($2::uuid[])
    order by q.next_attempt_at limit coalesce((
      select greatest(0, case when not open or overdue or coalesce(not_before > now(), false) then 0 when consecutive_failures >= ${troubledFrom} then $20 else $19 end - n)
      from endpoint, under_way), 0)
    for update),
  interrupted as (
    insert into webhook_attempts (delivery_id, created_at, number, started_at, error)
    select delivery_id, created_at, attempts, claimed_until - $21 * interval '1 millisecond', 'interrupted: what came of it is not known'
    from due where claimed_until is not null on conflict do nothing),
  claimed as (
    update webhook_queue q set attempts = q.attempts + 1, tries = q.tries + case when q.claimed_until is null then 1 else 0 end,
      claimed_until = now() + $21 * interval '1 millisecond', next_attempt_at = now() + $21 * interval '1 millisecond'
    where q.delivery_id = any(array(select delivery_id from due)) returning q.delivery_id, q.created_at, q.attempts, q.tries)
  select e.id, e.business_id, e.url, e.sealed_secret, e.previous_sealed_secret, e.previous_until, e.consecutive_failures, e.open, e.overdue,
    (select count(*)::int from done where status = 'failed') as failed, c.delivery_id, c.created_at, c.attempts, c.tries
  from endpoint e left join claimed c on true`

/** $2 to $14: the attempts, and the times that their deliveries lie between. */
function valuesOf(ended: readonly Ended[], { schedule }: TurnOptions): unknown[] {
  const rows = ended.map(({ claimed, startedAt, result }) => {
    const wait = result.outcome === 'failed' ? nextWait(schedule, claimed.tries, result.retryAfterMs, Math.random()) : null
    const status = result.outcome === 'delivered' ? 'delivered' : wait === null ? 'failed' : 'pending'
    return { ...claimed, startedAt, result, status, wait: wait ?? 0 }
  })
  return [
    rows.map((r) => r.delivery_id),
    rows.map((r) => r.created_at),
    rows.map((r) => r.attempts),
    rows.map((r) => r.tries),
    rows.map((r) => r.status),
    rows.map((r) => r.wait),
    rows.map((r) => r.startedAt),
    rows.map((r) => r.result.durationMs),
    rows.map((r) => r.result.responseStatus),
    rows.map((r) => r.result.responseBody),
    rows.map((r) => r.result.error),
    ...(rows.length > 0 ? spanOf(rows.map((r) => r.created_at)) : [null, null]),
  ]
}

/** $15 to $17: whether one was delivered, the failures after that, and the last failure's error. What could not be sent says nothing of an endpoint. */
function healthOf(ended: readonly Ended[]): [boolean, number, string | null] {
  const told = ended.map(({ result }) => result).filter(({ outcome }) => outcome !== 'unsendable')
  const lastGood = told.findLastIndex(({ outcome }) => outcome === 'delivered')
  const lastBad = told.findLast(({ outcome }) => outcome !== 'delivered')
  return [lastGood >= 0, told.length - lastGood - 1, lastBad ? (lastBad.error ?? '') : null]
}
