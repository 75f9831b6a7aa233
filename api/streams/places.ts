import type { Redis } from 'ioredis'
import { inTime } from '../../src/limits/rateLimiter.ts'
import { messageOf } from '../../src/platform/errors.ts'
import type { Log } from '../../src/platform/log.ts'

/** Places of streams, which all processes count in Redis. A process that was killed holds its places until their leases end. */
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

const now = "local t = redis.call('time') local now = t[1] * 1000 + math.floor(t[2] / 1000)"

/** Keys: the credential's places, by the end of their leases. Arguments: the lease, the maximum, the place. */
const takeScript = `${now}
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('zadd', KEYS[1], now + ARGV[1], ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[1])
return 1`

/** Adds places that Redis has lost, too. Arguments: the lease, the places. */
const renewScript = `${now}
for i = 2, #ARGV do redis.call('zadd', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('pexpire', KEYS[1], ARGV[1])`

export function createPlaces(ctx: { redis: Redis; log: Log }, { prefix, perCredential, leaseMs }: PlacesOptions): Places {
  const { redis, log } = ctx
  const keyOf = (credential: string) => `${prefix}:streams:${credential}`
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
      const taken = await orElse(1, () => redis.eval(takeScript, 1, keyOf(credential), leaseMs, perCredential, place))
      return taken === 1
    },
    renew: (credential, places) => orElse(undefined, () => redis.eval(renewScript, 1, keyOf(credential), leaseMs, ...places)),
    free: (credential, place) => orElse(undefined, () => redis.zrem(keyOf(credential), place)),
  }
}
