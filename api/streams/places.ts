import { messageOf } from '../../src/platform/errors.ts'
import type { RedisClient } from '../../src/platform/redis/redis.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import { inTime } from '../../src/rateLimits/rateLimiter.ts'

/**
 * Places of streams, which all processes count in Redis. A process that was killed holds its places until
 * their leases end.
 */
export interface Places {
  /** @returns false if a credential has as many places as it may have; true while Redis is away */
  take(credential: string, place: string): Promise<boolean>
  /** Holds places for another lease. */
  renew(credential: string, places: readonly string[]): Promise<void>
  free(credential: string, place: string): Promise<void>
}

export interface PlacesOptions {
  prefix: string
  perCredential: number
  leaseMs: number
}

/**
 * Keys: the credential's places, by the end of their leases. Arguments: now, the lease, the maximum, the
 * place.
 */
const takeScript = `redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[4])
redis.call('pexpire', KEYS[1], ARGV[2])
return 1`

/** Adds places that Redis has lost, too. Arguments: now, the lease, the places. */
const renewScript = `for i = 3, #ARGV do redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[i]) end
redis.call('pexpire', KEYS[1], ARGV[2])`

export function createPlaces(
  ctx: { redis: RedisClient; log: Log },
  { prefix, perCredential, leaseMs }: PlacesOptions,
): Places {
  const { redis, log } = ctx
  // The clock is this process's: the api's user of Redis may not read that of Redis.
  const run = (script: string, credential: string, ...more: (string | number)[]) =>
    redis.eval(script, 1, keyOf(credential), Date.now(), leaseMs, ...more)
  // Limits are what the api's user of Redis may write.
  const keyOf = (credential: string) => `${prefix}:limit:streams:${credential}`
  /** The result of a command; the default while Redis is away, when each process counts by itself. */
  const orElse = async <T>(otherwise: T, work: () => Promise<unknown>): Promise<T> => {
    try {
      return (await inTime(work())) as T
    } catch (error) {
      log.warn({ err: messageOf(error) }, 'Redis unavailable: places of streams are counted in this process')
      return otherwise
    }
  }
  return {
    async take(credential, place) {
      return (await orElse(1, () => run(takeScript, credential, perCredential, place))) === 1
    },
    renew: (credential, places) => orElse(undefined, () => run(renewScript, credential, ...places)),
    free: (credential, place) =>
      orElse(undefined, async () => void (await redis.zrem(keyOf(credential), place))),
  }
}
