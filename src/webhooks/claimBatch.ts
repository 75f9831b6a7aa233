import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { isTracing } from '../platform/telemetry/tracing.ts'
import type { AttemptResult } from './attempt.ts'
import { type Claimed, spanOf } from './messages.ts'
import { maxRetryAfterMs, nextWait } from './schedule.ts'

/** A finished attempt. */
export interface Ended {
  claimed: Claimed
  /** The URL it was sent to. */
  url: string
  startedAt: Date
  result: AttemptResult
}

/** An endpoint as it is after the batch was claimed. */
export interface DueEndpoint {
  id: string
  businessId: string
  url: string
  sealedSecret: Buffer
  previousSealedSecret: Buffer | null
  previousUntil: Date | null
  sealedHeaders: Buffer | null
  consecutiveFailures: number
  /** False if it is paused or removed. */
  open: boolean
  /** It has failed for so long that it should be paused. */
  overdue: boolean
  /** `reportHealth` has an event to record. */
  hasNews: boolean
  /** Milliseconds until its limit of attempts per second allows another one; null if it does now. */
  limitedMs: number | null
}

export interface ClaimBatch {
  /** Null if it does not exist. */
  endpoint: DueEndpoint | null
  claimed: Claimed[]
  /** Number of deliveries given up. */
  failed: number
}

interface ClaimOptions {
  /** Maximum concurrent attempts: to an endpoint, and to a failing one. */
  cap: number
  troubledCap: number
  /** Maximum concurrent attempts of its business to its host. */
  hostCap: number
  deadlineMs: number
  /** Milliseconds before each attempt. */
  schedule: readonly number[]
  pauseAfterMs: number
  /** Added to the pause of a failing endpoint with each failure. */
  stepMs: number
  /** Deliveries that this worker has under way or claimed. */
  held?: readonly string[]
  /** Claims whose attempts were not made: they do not count. */
  returned?: readonly Claimed[]
  /**
   * Claims beyond the cap that wait for this worker's slots. There are no such claims while another worker
   * has claims of the endpoint, it fails, or a limit of attempts or of its host may hold them back.
   */
  ahead?: number
}

/** Consecutive failures from which an endpoint counts as failing. */
export const troubledFrom = 3
/** Maximum pause of a failing endpoint, which grows with each failure. */
const maxPauseMs = 60_000
/**
 * Spells of failures before an endpoint is paused: four, each at least a sixth of `pauseAfterMs` after the
 * one before. Failures far apart may have causes of their own, and a burst of failures has one cause.
 */
const spellsToPause = 4
/**
 * The limit of attempts per second counts those under way, and those that ended within the last 21 slots of
 * 50 ms: more than a second, as the first slot may be nearly over. So the limit holds at the receiver,
 * however long a request takes to reach it.
 */
const slotMs = 50
const slots = 21

type BatchRow = DueEndpoint & { failed: number } & (Claimed | { deliveryId: null })

const batchRow = `id, business_id as "businessId", url, sealed_secret as "sealedSecret", previous_sealed_secret as "previousSealedSecret",
  previous_until as "previousUntil", sealed_headers as "sealedHeaders", consecutive_failures as "consecutiveFailures", open, overdue, failed, has_news as "hasNews", limited_ms as "limitedMs", delivery_id as "deliveryId",
  created_at as "createdAt", attempts, tries, event_id as "eventId", type, sequence, data, delivery_url as "deliveryUrl"`

/** With tracing also the span that each delivery continues. */
const tracedRow = `${batchRow}, webhook_traceparent(delivery_id) as traceparent`

/** The names of its parameters are those of `claimBatch`. */
const turns = new Map<string, string>()

/**
 * Stores the results of attempts, with their effect on deliveries and endpoint, and claims attempts that are
 * due, so that all processes together never exceed the cap.
 *
 * This is one call of a database function (migrations/0107-claims-ahead.sql, 0255-delivery-urls.ts): each statement costs as much as
 * an attempt, and planning costs more than execution; Postgres keeps most plans of a function. The function
 * locks the endpoint's row before reading anything, so that it sees the claims of others. (A batch of eight:
 * 2.6 ms including the events of the next eight; 3.9 ms without them when one statement was planned per
 * call.)
 *
 * A successful delivery is final. A failure counts only if it is the latest attempt: after another claim,
 * that attempt decides. If a replay started a new round meanwhile, a failure makes the delivery due at once.
 * An attempt is counted before it is made, and its claim expires after twice its deadline: a crash in between
 * leads to one attempt more, never one fewer; the unrecorded attempt is listed but does not use up the
 * schedule. A receiver's `Retry-After` applies to all deliveries of its endpoint. A result from a URL that
 * the endpoint no longer has does not affect the endpoint: a failure is only recorded as an attempt, and the
 * delivery is due at once.
 * @param ended attempts of different deliveries, sent to one URL
 */
export async function claimBatch(
  db: Queryable,
  endpointId: string,
  ended: readonly Ended[],
  options: ClaimOptions,
): Promise<ClaimBatch> {
  const named = {
    of_endpoint: endpointId,
    ...attemptsOf(ended, options),
    ...healthOf(ended),
    sent_to: ended[0]?.url ?? null,
    wish_ms: Math.max(0, ...ended.map(({ result }) => Math.min(result.retryAfterMs ?? 0, maxRetryAfterMs))),
    pause_after_ms: options.pauseAfterMs,
    cap: options.cap,
    troubled_cap: options.troubledCap,
    troubled_from: troubledFrom,
    host_cap: options.hostCap,
    claim_ms: options.deadlineMs * 2,
    step_ms: options.stepMs,
    longest_ms: maxPauseMs,
    spells_to_pause: spellsToPause,
    slot_ms: slotMs,
    slots,
    held: options.held ?? [],
    returned: options.returned?.map(({ deliveryId }) => deliveryId) ?? [],
    returned_numbers: options.returned?.map(({ attempts }) => attempts) ?? [],
    ahead: options.ahead ?? 0,
  }
  const row = isTracing() ? tracedRow : batchRow
  const turn =
    turns.get(row) ??
    prepared(
      `select ${row} from take_delivery_turn(${Object.keys(named).map((name, i) => `${name} => $${i + 1}`)})`,
    )
  turns.set(row, turn)
  const rows = await db.query<BatchRow>(turn, Object.values(named))
  const [endpoint] = rows
  if (!endpoint) return { endpoint: null, claimed: [], failed: 0 }
  return { endpoint, claimed: rows.filter((row) => row.deliveryId !== null), failed: endpoint.failed }
}

export async function isInTrouble(db: Queryable, endpointId: string): Promise<boolean> {
  const [row] = await db.query<{ n: number }>(
    'select consecutive_failures as n from webhook_endpoints where id = $1',
    [endpointId],
  )
  return (row?.n ?? 0) >= troubledFrom
}

/** The attempts as one list per field, and the time range of their deliveries. */
function attemptsOf(ended: readonly Ended[], { schedule }: ClaimOptions): Record<string, unknown> {
  const rows = ended.map(({ claimed, startedAt, result }) => {
    const wait =
      result.outcome === 'failed'
        ? nextWait(schedule, claimed.tries, result.retryAfterMs, Math.random())
        : null
    const undelivered = wait === null ? 'failed' : 'pending'
    const outcome = result.outcome === 'delivered' ? 'delivered' : undelivered
    return { claimed, startedAt, result, outcome, wait: wait ?? 0 }
  })
  const [from, to] = rows.length > 0 ? spanOf(rows.map(({ claimed }) => claimed.createdAt)) : [null, null]
  return {
    ids: rows.map(({ claimed }) => claimed.deliveryId),
    created: rows.map(({ claimed }) => claimed.createdAt),
    numbers: rows.map(({ claimed }) => claimed.attempts),
    tries_made: rows.map(({ claimed }) => claimed.tries),
    outcomes: rows.map(({ outcome }) => outcome),
    waits_ms: rows.map(({ wait }) => wait),
    event_types: rows.map(({ claimed }) => claimed.type),
    kinds: rows.map(({ result }) => result.outcome),
    started: rows.map(({ startedAt }) => startedAt),
    durations_ms: rows.map(({ result }) => result.durationMs),
    codes: rows.map(({ result }) => result.responseStatus),
    bodies: rows.map(({ result }) => result.responseBody),
    errors: rows.map(({ result }) => result.error),
    created_from: from,
    created_to: to,
  }
}

/**
 * `good`: one was delivered; `bad`: failures after the last success; `error`: the last one. Unsendable bodies
 * do not count.
 */
function healthOf(ended: readonly Ended[]): { good: boolean; bad: number; error: string | null } {
  const results = ended.map(({ result }) => result).filter(({ outcome }) => outcome !== 'unsendable')
  const lastGood = results.findLastIndex(({ outcome }) => outcome === 'delivered')
  const lastBad = results.findLast(({ outcome }) => outcome !== 'delivered')
  return {
    good: lastGood >= 0,
    bad: results.length - lastGood - 1,
    error: lastBad ? (lastBad.error ?? '') : null,
  }
}
