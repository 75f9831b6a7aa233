import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { pause } from '../platform/wait.ts'

/** Questions to a partner in a second, over all workers. */
export const questionsPerSecond = 10

/**
 * Turns for requests to a partner: each call resolves at a moment of its own, `1 / perSecond` after the one
 * before. The database hands them out, so that they are one row for all workers; a slow answer holds up no
 * turn.
 */
export function createTurns(
  db: Queryable,
  partner: string,
  stopping: AbortSignal,
  perSecond = questionsPerSecond,
): () => Promise<void> {
  return async () => {
    const [turn] = await db.query<{ inMs: number }>(
      `insert into partner_turns as t (partner, next_at) values ($1, clock_timestamp() + $2 * interval '1 ms')
       on conflict (partner) do update set next_at = greatest(t.next_at, clock_timestamp()) + $2 * interval '1 ms'
       returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - $2 as "inMs"`,
      [partner, 1000 / perSecond],
    )
    if (turn && turn.inMs > 0) await pause(turn.inMs, stopping)
  }
}

/** A turn, or how long the next one is away. */
export interface Turn {
  inMs: number
  /** It is further away than the caller waits, and was not taken. */
  isTooLate: boolean
}

const takeTurnsOf = prepared(
  `insert into partner_turns as t (partner, next_at)
   values ($1, clock_timestamp() + $2::float8 * $4::int * interval '1 ms')
   on conflict (partner) do update
     set next_at = greatest(t.next_at, clock_timestamp()) + $2::float8 * $4::int * interval '1 ms'
     where t.next_at <= clock_timestamp() + ($3::float8 - $2::float8 * ($4::int - 1)) * interval '1 ms'
   returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - $2::float8 * $4::int as "inMs"`,
)
const nextTurnOf = prepared(
  `select (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as "inMs" from partner_turns where partner = $1`,
)

/** Takes the next turn at a partner, if it comes within `maxWaitMs`; the database hands them out, too. */
export async function takeTurn(
  db: Queryable,
  partner: string,
  perSecond: number,
  maxWaitMs: number,
): Promise<Turn> {
  const [turn] = (await takeTurns(db, { partner, perSecond, maxWaitMs }, 1)) ?? []
  if (turn) return turn
  const [next] = await db.query<{ inMs: number }>(nextTurnOf, [partner])
  return { inMs: Math.max(next?.inMs ?? 0, 1), isTooLate: true }
}

export interface Pace {
  partner: string
  perSecond: number
  maxWaitMs: number
}

/**
 * Takes so many turns by one statement; null: the last of them would come too late, and no turn was taken.
 */
export async function takeTurns(
  db: Queryable,
  { partner, perSecond, maxWaitMs }: Pace,
  count: number,
): Promise<Turn[] | null> {
  const everyMs = 1000 / perSecond
  const [first] = await db.query<{ inMs: number }>(takeTurnsOf, [partner, everyMs, maxWaitMs, count])
  if (!first) return null
  return Array.from({ length: count }, (_, index) => ({
    inMs: Math.max(first.inMs + index * everyMs, 0),
    isTooLate: false,
  }))
}

/** No process takes a turn for this time: the partner has requested that. */
export const deferTurns = (db: Queryable, partner: string, ms: number): Promise<unknown> =>
  db.query(
    `insert into partner_turns as t (partner, next_at) values ($1, clock_timestamp() + $2::float8 * interval '1 ms')
     on conflict (partner) do update set next_at = greatest(t.next_at, excluded.next_at)`,
    [partner, ms],
  )
