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
  const policy = await policyOf(redis)
  // A service that reports it nowhere sets it elsewhere.
  if (policy !== null && policy !== 'noeviction')
    throw new Error(`Redis drops keys when it is full (maxmemory-policy is ${policy}); set it to noeviction`)
}

/** Managed services forbid CONFIG, and report the policy in INFO. */
async function policyOf(redis: Redis): Promise<string | null> {
  try {
    const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as string[]
    if (policy) return policy
  } catch {}
  return infoOf(await redis.info('memory').catch(() => '')).get('maxmemory_policy') ?? null
}

/** The fields of an answer to INFO. */
export const infoOf = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]))

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
