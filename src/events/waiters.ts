import type { Db } from '../platform/database/db.ts'
import { listenForNotifications } from '../platform/database/notifications.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { type Bell, createBell } from '../platform/wait.ts'

/** Notified with the id of the business in each transaction that records events. */
export const eventsChannel = 'cowry_events'
/** Notified with the id of each session of which an event was recorded. */
export const sessionsChannel = 'cowry_sessions'

/** Pause between two polls for events whose notification was lost. */
const pollMs = 3000
const retryAfterSeconds = 5

export interface WaiterLimits {
  /** In this process. */
  inAll: number
  perBusiness: number
}

/** A request that waits for events of a business. It holds no connection to the database. */
export interface Waiter extends Pick<Bell, 'wait'> {
  end(): void
}

export interface EventWaiters {
  /**
   * Registers a waiting request. It is woken by every event that commits after this call, so the caller reads
   * once more before it waits.
   * @throws ApiError 429 `too_many_waiting`
   */
  begin(businessId: string): Waiter
  /** The number of waiting requests. */
  count(): number
  /**
   * Signals waiting requests by notifications, and by polling where one was lost, until `signal` is aborted.
   */
  run(directUrl: string, signal: AbortSignal): Promise<void>
  /** Calls back with each session of which an event was committed; without one, any may have been. */
  onSession(callback: (sessionId?: string) => void): void
}

interface Waiting {
  bells: Set<Bell>
  /** The newest sequence number that the poll has seen; null before its first read. */
  seen: bigint | null
}

export function createEventWaiters(ctx: { db: Db; log: Log }, limits: WaiterLimits): EventWaiters {
  const waiting = new Map<string, Waiting>()
  const callbacks: ((sessionId?: string) => void)[] = []
  let all = 0
  const ring = (businessId: string) => {
    for (const bell of waiting.get(businessId)?.bells ?? []) bell.ring()
  }
  const ringAll = () => {
    for (const businessId of waiting.keys()) ring(businessId)
  }

  /** One query for all businesses: the cost does not grow with the number of requests. */
  async function poll(): Promise<void> {
    if (waiting.size === 0) return
    const rows = await ctx.db.query<{ businessId: string; last: string }>(
      'select business_id as "businessId", last from event_sequences where business_id = any($1::uuid[])',
      [[...waiting.keys()]],
    )
    for (const { businessId, last } of rows) {
      const each = waiting.get(businessId)
      if (!each || each.seen === BigInt(last)) continue
      each.seen = BigInt(last)
      ring(businessId)
    }
  }

  return {
    begin(businessId) {
      const known = waiting.get(businessId)
      if ((known?.bells.size ?? 0) >= limits.perBusiness)
        throw tooManyWaiting(
          `A business may have ${limits.perBusiness} requests waiting for events at the same time`,
        )
      if (all >= limits.inAll) throw tooManyWaiting('Too many requests are waiting for events right now')
      const bell = createBell()
      const each = known ?? { bells: new Set(), seen: null }
      waiting.set(businessId, each)
      each.bells.add(bell)
      all++
      return {
        wait: bell.wait,
        end() {
          if (!each.bells.delete(bell)) return
          all--
          if (each.bells.size === 0) waiting.delete(businessId)
        },
      }
    },
    count: () => all,
    onSession: (callback) => void callbacks.push(callback),
    async run(directUrl, signal) {
      const failed = (error: unknown) =>
        ctx.log.warn(
          { err: messageOf(error) },
          'could not poll for events; waiting requests are woken by notifications only',
        )
      await Promise.all([
        listenForNotifications(
          directUrl,
          [eventsChannel, sessionsChannel],
          // After a reconnect there is no payload: any notification may have been missed.
          (channel, id) => {
            if (channel === sessionsChannel) for (const callback of callbacks) callback(id)
            else if (id === undefined) ringAll()
            else ring(id)
          },
          ctx.log,
          signal,
          'cowry events',
        ),
        repeat(signal, { everyMs: pollMs, failed }, poll),
      ])
    },
  }
}

const tooManyWaiting = (message: string): ApiError =>
  new ApiError(429, 'too_many_waiting', message, { retryAfterSeconds })
