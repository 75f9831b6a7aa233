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
  /** Of its business at a time to its host. */
  hostCap: number
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

type TurnRow = DueEndpoint & { failed: number } & (Claimed | { delivery_id: null })

/**
 * Stores what came of attempts, theirs, their deliveries' and their endpoint's, and claims attempts that are due, so that no more than
 * the cap are under way at once, whoever makes them.
 *
 * One call of a function in the database (migration 0019), because each statement costs as much as an attempt, and to plan these costs more
 * than to run them: Postgres keeps most of a function's plans. It locks the endpoint's row first and looks at everything else after that, so that it
 * knows what others have claimed. (A turn of eight: 2.6 ms with the events of
 * the next eight; 3.9 without them where one statement was planned in each turn.)
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
  const named = {
    of_endpoint: endpointId,
    ...attemptsOf(ended, options),
    ...healthOf(ended),
    sent_to: ended[0]?.url ?? null,
    wish_ms: Math.max(0, ...ended.map(({ result }) => Math.min(result.retryAfterMs ?? 0, longestWish))),
    pause_after_ms: options.pauseAfterMs,
    cap: options.cap,
    troubled_cap: options.troubledCap,
    troubled_from: troubledFrom,
    host_cap: options.hostCap,
    claim_ms: options.deadlineMs * 2,
    step_ms: options.stepMs,
    longest_ms: longestPauseMs,
  }
  const parameters = Object.keys(named).map((name, i) => `${name} => $${i + 1}`)
  const rows = await db.query<TurnRow>(`select * from take_webhook_turn(${parameters.join(', ')})`, Object.values(named))
  const [endpoint] = rows
  if (!endpoint) return { endpoint: null, claimed: [], failed: 0 }
  return { endpoint, claimed: rows.filter((row) => row.delivery_id !== null), failed: endpoint.failed }
}

export async function isInTrouble(db: Queryable, endpointId: string): Promise<boolean> {
  const [row] = await db.query<{ n: number }>('select consecutive_failures as n from webhook_endpoints where id = $1', [endpointId])
  return (row?.n ?? 0) >= troubledFrom
}

/** The attempts, a list for each of their fields, and the times that their deliveries lie between. */
function attemptsOf(ended: readonly Ended[], { schedule }: TurnOptions): Record<string, unknown> {
  const rows = ended.map(({ claimed, startedAt, result }) => {
    const wait = result.outcome === 'failed' ? nextWait(schedule, claimed.tries, result.retryAfterMs, Math.random()) : null
    const outcome = result.outcome === 'delivered' ? 'delivered' : wait === null ? 'failed' : 'pending'
    return { claimed, startedAt, result, outcome, wait: wait ?? 0 }
  })
  const [from, to] = rows.length > 0 ? spanOf(rows.map(({ claimed }) => claimed.created_at)) : [null, null]
  return {
    ids: rows.map(({ claimed }) => claimed.delivery_id),
    created: rows.map(({ claimed }) => claimed.created_at),
    numbers: rows.map(({ claimed }) => claimed.attempts),
    tries_made: rows.map(({ claimed }) => claimed.tries),
    outcomes: rows.map(({ outcome }) => outcome),
    waits_ms: rows.map(({ wait }) => wait),
    started: rows.map(({ startedAt }) => startedAt),
    durations_ms: rows.map(({ result }) => result.durationMs),
    codes: rows.map(({ result }) => result.responseStatus),
    bodies: rows.map(({ result }) => result.responseBody),
    errors: rows.map(({ result }) => result.error),
    created_from: from,
    created_to: to,
  }
}

/** Whether one was delivered, the failures after that, and the last failure's error. What could not be sent says nothing of an endpoint. */
function healthOf(ended: readonly Ended[]): { good: boolean; bad: number; error: string | null } {
  const told = ended.map(({ result }) => result).filter(({ outcome }) => outcome !== 'unsendable')
  const lastGood = told.findLastIndex(({ outcome }) => outcome === 'delivered')
  const lastBad = told.findLast(({ outcome }) => outcome !== 'delivered')
  return { good: lastGood >= 0, bad: told.length - lastGood - 1, error: lastBad ? (lastBad.error ?? '') : null }
}
