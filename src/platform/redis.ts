import { Redis } from 'ioredis'
import type { Log } from './log.ts'

/** A connection as BullMQ needs it: commands wait until Redis is back instead of failing. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: true, retryStrategy: (times) => Math.min(times * 100, 2000) })
  redis.on('error', (error) => log.warn({ err: error.message }, 'redis'))
  return redis
}

/**
 * Refuses a Redis that drops jobs when it is full.
 * @throws if `maxmemory-policy` is not `noeviction`
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  let policy: unknown
  try {
    policy = ((await redis.config('GET', 'maxmemory-policy')) as string[])[1]
  } catch {
    return // Managed services forbid CONFIG; their operators set the policy elsewhere.
  }
  if (policy !== 'noeviction') throw new Error(`Redis drops keys when it is full (maxmemory-policy is ${policy}); set it to noeviction`)
}

/** A connection for requests: while Redis is away, commands fail at once. */
export function openImpatientRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    retryStrategy: (times) => Math.min(times * 100, 2000),
  })
  redis.on('error', (error) => log.debug({ err: error.message }, 'redis'))
  return redis
}
