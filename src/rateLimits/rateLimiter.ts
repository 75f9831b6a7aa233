import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { BaseError, messageOf } from '../platform/errors.ts'
import type { RedisClient } from '../platform/redis/redis.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { pause } from '../platform/wait.ts'
import { type LimitName, limitNames } from './limitNames.ts'

/** At most `max` of something in a window of time. */
export interface Limit {
  /** Used in headers and metrics. */
  name: LimitName
  /** The owner of the count. Not a secret, and not unbounded text of a caller. */
  of: string
  max: number
  windowSeconds: number
}

/** The state of a limit after counting. */
export interface LimitState {
  limit: Limit
  over: boolean
  /** Everything counted in the window, including counts over the limit. */
  used: number
  remaining: number
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number
}

export interface RateLimiter {
  /**
   * Counts `cost` (default 1) against a limit. Costs over the limit are counted, too; the window does not
   * move.
   */
  count(limit: Limit, cost?: number): Promise<LimitState>
  /**
   * The state of a limit that this process knows to be used up, without counting; null where it does not
   * know.
   */
  usedUp(limit: Limit): LimitState | null
  /** Gives back a cost. */
  giveBack(limit: Limit, cost?: number): Promise<void>
  /**
   * Delays a caller without a valid credential that goes on beyond its limit, so that it takes less CPU.
   * Delays a few at a time.
   */
  holdBack(): Promise<void>
}

const holdBackMs = 500
/** Each held request keeps its connection: many must not keep out new callers. */
const maxHeldBack = 100

/** Local counts while Redis is away: beyond these, several owners share one. */
const localCounts = 2 ** 17
/** Used-up limits that one process remembers. */
const rememberedOver = 2 ** 14
const patienceMs = 1000
/** Pause before Redis is called again after a failure. */
const blindMs = 1000

/**
 * Limits that all processes share through Redis. While Redis is away each process counts by itself, against
 * the same limits, in bounded memory: limits never go off.
 */
export function createRateLimiter(
  ctx: { redis: RedisClient; log: Log; metrics: Metrics },
  prefix: string,
): RateLimiter {
  const shared = new RateLimiterRedis({
    storeClient: ctx.redis,
    keyPrefix: `${prefix}:limit`,
    points: Number.MAX_SAFE_INTEGER,
    duration: 60,
    rejectIfRedisNotReady: true,
  })
  const local = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 })
  const refused = ctx.metrics.counter('rate_limited_total', 'Requests over a limit', ['limit'])
  for (const limit of limitNames) refused.inc({ limit }, 0)
  /** Ends of windows that are used up; the oldest is forgotten first. */
  const over = new Map<string, number>()
  let heldBack = 0
  let blindUntil = 0
  let isBlind = false
  ctx.metrics.collected(
    'rate_limits_local',
    '1 while limits are counted in this process alone, because Redis is away',
    [],
    (gauge) => gauge.set(isBlind ? 1 : 0),
  )

  /** Runs on Redis, or in this process while Redis is away. */
  async function either<T>(
    limit: Limit,
    run: (limiter: RateLimiterRedis | RateLimiterMemory, key: string) => Promise<T>,
  ): Promise<T> {
    const kind = `${limit.name}:${limit.windowSeconds}`
    const key = `${kind}:${limit.of}`
    if (Date.now() >= blindUntil) {
      try {
        const outcome = await inTime(run(shared, key))
        isBlind = false
        return outcome
      } catch (error) {
        if (!isBlind)
          ctx.log.warn({ err: messageOf(error) }, 'Redis unavailable: counting limits in this process')
        isBlind = true
        blindUntil = Date.now() + blindMs
        // Drop unanswered commands, which would pile up.
        if (error instanceof RedisTimeoutError) ctx.redis.disconnect(true)
      }
    }
    // Owners that share a local count have the same window and, except for keys, the same limit.
    return run(local, `${kind}:${createHash('sha256').update(key).digest().readUInt32BE() % localCounts}`)
  }

  const nameOf = ({ name, of, windowSeconds }: Limit) => `${name}:${windowSeconds}:${of}`

  return {
    usedUp(limit) {
      const until = over.get(nameOf(limit))
      if (until === undefined) return null
      const leftMs = until - Date.now()
      if (leftMs > 0)
        return { limit, over: true, used: limit.max, remaining: 0, resetSeconds: Math.ceil(leftMs / 1000) }
      over.delete(nameOf(limit))
      return null
    },
    async count(limit, cost = 1) {
      const { consumedPoints, msBeforeNext } = await either(
        limit,
        (limiter, key): Promise<RateLimiterRes> =>
          limiter.consume(key, cost, { customDuration: limit.windowSeconds }),
      )
      const isOver = consumedPoints > limit.max
      if (isOver) {
        refused.inc({ limit: limit.name })
        over.delete(nameOf(limit))
        over.set(nameOf(limit), Date.now() + msBeforeNext)
        const [oldest] = over.keys()
        if (over.size > rememberedOver && oldest !== undefined) over.delete(oldest)
      }
      const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      return {
        limit,
        over: isOver,
        used: consumedPoints,
        remaining: Math.max(0, limit.max - consumedPoints),
        resetSeconds,
      }
    },
    async holdBack() {
      if (heldBack >= maxHeldBack) return
      heldBack++
      await pause(holdBackMs)
      heldBack--
    },
    async giveBack(limit, cost = 1) {
      await either(
        limit,
        async (limiter, key) =>
          void (await limiter.reward(key, cost, { customDuration: limit.windowSeconds })),
      )
      // Afterwards: a request counted before this could otherwise mark the limit as used up again.
      over.delete(nameOf(limit))
    },
  }
}

/** Redis did not answer in time. */
class RedisTimeoutError extends BaseError {
  readonly code = 'redis_timeout'
  readonly retry = 'yes'
}

/**
 * Waits for Redis with a timeout. An answer that arrived while this process was busy counts as in time: it is
 * read before the timeout rejects.
 */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(reject, new RedisTimeoutError(`no answer within ${patienceMs} ms`)),
      patienceMs,
    )
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
