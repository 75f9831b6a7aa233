import type { Db } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import { type EventPage, type EventQuery, listEvents } from './listEvents.ts'
import type { EventWaiters, Waiter } from './waiters.ts'

export interface AwaitingContext {
  db: Db
  eventWaiters: EventWaiters
  /** Life of a stream; clients connect again. */
  eventStreamMs: number
}

/** A caller who waits. */
export interface Presence {
  /** Aborted when the caller has gone or the process stops. */
  signal: AbortSignal
  /** Checks again that the caller may read the events. @throws ApiError */
  confirm(): Promise<void>
}

/** The caller's right is checked this often while it waits, and before events are sent after that time. */
const confirmMs = 3000
const heartbeatMs = 15_000

/**
 * Events after a sequence number; without any, waits for the next.
 * @returns an empty page after `waitMs`, or when the process stops
 * @throws ApiError 429 `too_many_waiting`, 400
 */
export async function awaitEvents(
  ctx: AwaitingContext,
  businessId: string,
  query: EventQuery,
  waitMs: number,
  presence: Presence,
): Promise<EventPage> {
  const page = await nextEvents(ctx, businessId, query)
  requireReached(query, page)
  if (page.events.length > 0) return page
  const waiter = ctx.eventWaiters.begin(businessId)
  try {
    const until = performance.now() + waitMs
    for (let { nextAfter: after } = page; ; ) {
      const next = await nextEvents(ctx, businessId, { ...query, after })
      const leftMs = until - performance.now()
      if (next.events.length > 0 || leftMs <= 0 || presence.signal.aborted) return next
      after = next.nextAfter
      await waiter.wait(Math.min(leftMs, confirmMs), presence.signal)
      await presence.confirm()
    }
  } finally {
    waiter.end()
  }
}

/** Nothing would come for a number of another deployment, or from before a restore. @throws ApiError 400 */
function requireReached({ after }: EventQuery, { latestSequence }: EventPage): void {
  if (after > latestSequence)
    throw invalidParameters({
      field: 'after',
      message: `is above the newest event, ${latestSequence}`,
      code: 'too_large',
    })
}

/**
 * Pages of events, each read when the one before was taken, until the stream's life ends, the caller goes or
 * the process stops. An empty page is a heartbeat.
 * @throws ApiError 429 `too_many_waiting`, 400 at its first page; the caller's refusal once it has lost its
 * right
 */
export async function* streamEvents(
  ctx: AwaitingContext,
  businessId: string,
  query: EventQuery,
  { signal, confirm }: Presence,
): AsyncGenerator<EventPage, void, undefined> {
  const waiter = ctx.eventWaiters.begin(businessId)
  try {
    const end = performance.now() + ctx.eventStreamMs
    let { after } = query
    let confirmed = performance.now()
    let sent = Number.NEGATIVE_INFINITY
    while (!signal.aborted && performance.now() < end) {
      if (performance.now() - confirmed >= confirmMs) {
        await confirm()
        confirmed = performance.now()
      }
      const page = await nextEvents(ctx, businessId, { ...query, after })
      if (sent === Number.NEGATIVE_INFINITY) requireReached(query, page)
      after = page.nextAfter
      const now = performance.now()
      if (page.events.length > 0 || now - sent >= heartbeatMs) {
        yield page
        sent = performance.now()
      }
      if (page.events.length === 0 && !signal.aborted)
        await pauseOf(waiter, Math.min(end - now, confirmMs, sent + heartbeatMs - now), signal)
    }
  } finally {
    waiter.end()
  }
}

const pauseOf = (waiter: Waiter, ms: number, signal: AbortSignal): Promise<void> =>
  waiter.wait(Math.max(1, ms), signal)

/**
 * The next page with events, or the empty one at the end: with a rare type there may be empty pages before.
 */
async function nextEvents(ctx: AwaitingContext, businessId: string, query: EventQuery): Promise<EventPage> {
  for (let { after } = query; ; ) {
    const page = await listEvents(ctx, businessId, { ...query, after })
    if (page.events.length > 0 || !page.hasMore) return page
    after = page.nextAfter
  }
}
