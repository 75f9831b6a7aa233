import { Cluster, Redis } from 'ioredis'
import type { Log } from '../telemetry/log.ts'
import { type RedisConfig, redisMode } from './redisTarget.ts'

/** A single Redis, the primary that sentinels name, or a Redis Cluster. */
export type RedisClient = Redis | Cluster

/** A connection as BullMQ needs it: commands wait until Redis is back instead of failing. */
export function openRedis(config: RedisConfig, log: Log): RedisClient {
  const redis = connectRedis(config, { maxRetriesPerRequest: null, enableReadyCheck: true })
  redis.on('error', (error) => log.warn({ err: error.message }, 'redis'))
  return redis
}

/** A connection for requests: while Redis is away, commands fail at once. */
export function openImpatientRedis(config: RedisConfig, log: Log): RedisClient {
  const redis = connectRedis(config, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
  })
  redis.on('error', (error) => log.debug({ err: error.message }, 'redis'))
  return redis
}

const retryStrategy = (times: number) => Math.min(times * 100, 2000)
/** For one connection attempt; a server that is gone may not answer at all. */
const connectTimeout = 5000
/**
 * A primary that is frozen or cut off closes no connection. Longer than BullMQ waits for a job in one
 * command.
 */
const silentMs = 12_000
/** A process reads the slots this often, because a primary that is gone does not redirect. */
const slotsRefreshInterval = 2000
/** A failover takes some seconds: at most this many retries of a command, this far apart. */
const patient = { maxRedirections: 60, delayMs: 500 }
const impatient = { maxRedirections: 4, delayMs: 100 }

export interface RedisHabits {
  /** Null: a command waits until Redis is back. */
  maxRetriesPerRequest: number | null
  enableReadyCheck?: boolean
  enableOfflineQueue?: boolean
  enableAutoPipelining?: boolean
  lazyConnect?: boolean
  connectTimeout?: number
  commandTimeout?: number
  retryStrategy?: (times: number) => number | null
}

export function connectRedis(config: RedisConfig, habits: RedisHabits): RedisClient {
  const { protocol, username, password, pathname } = new URL(config.REDIS_URL)
  const ca = config.REDIS_CA_FILE?.pem
  const authority = ca === undefined ? {} : { ca }
  const tls = protocol === 'rediss:' ? authority : undefined
  const user = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  }
  const mode = redisMode(config)
  if (mode === 'cluster') {
    const {
      enableOfflineQueue = true,
      enableAutoPipelining = false,
      lazyConnect = false,
      retryStrategy: clusterRetryStrategy,
      ...ofServer
    } = habits
    const { maxRedirections, delayMs } = enableOfflineQueue ? patient : impatient
    return new Cluster([...(config.REDIS_CLUSTER_NODES ?? [])], {
      // A certificate is checked against the name, not against the address that it resolves to.
      dnsLookup: (host, found) => found(null, host),
      clusterRetryStrategy: clusterRetryStrategy ?? retryStrategy,
      slotsRefreshInterval,
      slotsRefreshTimeout: connectTimeout,
      maxRedirections,
      retryDelayOnFailover: delayMs,
      retryDelayOnClusterDown: delayMs,
      retryDelayOnTryAgain: delayMs,
      enableOfflineQueue,
      enableAutoPipelining,
      lazyConnect,
      redisOptions: { connectTimeout, socketTimeout: silentMs, ...ofServer, ...user, ...(tls && { tls }) },
    })
  }
  const options = { connectTimeout, retryStrategy, ...habits, ...(tls && { tls }) }
  if (mode === 'single') return new Redis(config.REDIS_URL, options)
  return new Redis({
    ...options,
    ...user,
    db: Number(pathname.slice(1)) || 0,
    sentinels: [...(config.REDIS_SENTINELS ?? [])],
    name: config.REDIS_SENTINEL_MASTER ?? '',
    ...(config.REDIS_SENTINEL_USER && { sentinelUsername: config.REDIS_SENTINEL_USER }),
    ...(config.REDIS_SENTINEL_PASSWORD && { sentinelPassword: config.REDIS_SENTINEL_PASSWORD }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    sentinelRetryStrategy: options.retryStrategy,
    // (Not `failoverDetector`: an announcement during a connection attempt ends the client.)
    socketTimeout: silentMs,
    // A primary that became a replica refuses to write; 2: connects again, then repeats the command. Redis 6
    // has it inside a sentence about a script.
    reconnectOnError: (error) => (error.message.includes('READONLY') ? 2 : false),
  })
}

/** A further connection in the same way, as each of BullMQ's workers needs one. */
export const duplicateRedis = (redis: RedisClient): RedisClient =>
  redis instanceof Cluster ? redis.duplicate() : redis.duplicate()

/** The servers that take writes, once connected. */
export async function primariesOf(redis: RedisClient): Promise<Redis[]> {
  // Waits until a cluster's slots are known.
  await redis.ping()
  return redis instanceof Cluster ? redis.nodes('master') : [redis]
}

/** For readiness. @throws where Redis does not answer, or a part of a cluster's slots has no primary */
export async function requireRedis(redis: RedisClient): Promise<void> {
  await redis.ping()
  if (!(redis instanceof Cluster)) return
  const info = infoOf((await redis.cluster('INFO')) as string)
  if (info.get('cluster_state') !== 'ok' || info.get('cluster_slots_ok') !== '16384')
    throw new Error(`the Redis Cluster serves ${info.get('cluster_slots_ok')} of 16384 slots`)
}

/**
 * Refuses a Redis that drops jobs when it is full.
 * @throws if `maxmemory-policy` of a primary is not `noeviction`
 */
export async function requireNoEviction(redis: RedisClient): Promise<void> {
  for (const primary of await primariesOf(redis)) {
    const policy = await policyOf(primary)
    // A service that reports it nowhere sets it elsewhere.
    if (policy !== null && policy !== 'noeviction')
      throw new Error(
        `Redis drops keys when it is full (maxmemory-policy is ${policy}); set it to noeviction`,
      )
  }
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
