import { Cluster, type Redis } from 'ioredis'
import { certificateRefusal } from '../../src/platform/certificateRefusal.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { connectRedis, infoOf, type RedisClient, requireNoEviction } from '../../src/platform/redis/redis.ts'
import { type RedisConfig, redisMode } from '../../src/platform/redis/redisTarget.ts'
import { type RedisUser, sentinelRules } from '../../src/platform/redis/redisUsers.ts'
import type { Server } from '../../src/platform/settings.ts'
import { codeOf, stepMs, unreachable } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { advice, fault } = findingsOf('redis')

const addressOf = ({ host, port }: Server) => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Of one attempt; the first error has more than the end of the connection. */
export async function attempt<T>(
  config: RedisConfig,
  work: (redis: RedisClient) => Promise<T>,
): Promise<{ result: T } | { error: unknown }> {
  let failure: unknown
  const redis = connectRedis(config, {
    lazyConnect: true,
    connectTimeout: stepMs,
    commandTimeout: stepMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // INFO is read by the checks, where a refusal is a finding.
    enableReadyCheck: false,
  })
  const keep = (error: unknown) => {
    failure ??= error
  }
  redis.on('error', keep).on('node error', keep)
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    return { error: failure ?? error }
  }
  try {
    return { result: await work(redis) }
  } finally {
    redis.disconnect()
  }
}

/** The same user and TLS at one server. */
function alone(
  config: RedisConfig,
  server: Server,
  own: { username?: string; password?: string } = {},
): RedisConfig {
  const url = new URL(config.REDIS_URL)
  url.host = addressOf(server)
  return {
    REDIS_URL: Object.assign(url, own).href,
    ...(config.REDIS_CA_FILE && { REDIS_CA_FILE: config.REDIS_CA_FILE }),
  }
}

/** Each sentinel must answer alone: it is the one that is left when the others are lost. */
export async function checkSentinels(config: RedisConfig, user: RedisUser): Promise<Finding[]> {
  const name = config.REDIS_SENTINEL_MASTER ?? ''
  // A URL encodes all that it must but the percent sign.
  const own = {
    username: encodeURIComponent(config.REDIS_SENTINEL_USER ?? ''),
    password: encodeURIComponent(config.REDIS_SENTINEL_PASSWORD ?? ''),
  }
  const sentinels = config.REDIS_SENTINELS ?? []
  const found = await Promise.all(
    sentinels.map(async (sentinel): Promise<Finding[]> => {
      const at = addressOf(sentinel)
      const answer = await attempt(alone(config, sentinel, own), async (redis) => {
        try {
          return (await (redis as Redis).call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as string[] | null
        } catch (error) {
          return messageOf(error)
        }
      })
      if ('error' in answer)
        return [
          notReached(
            'redis_sentinel',
            answer.error,
            user,
            `the sentinel ${at}`,
            'REDIS_SENTINEL_USER and REDIS_SENTINEL_PASSWORD',
          ),
        ]
      if (answer.result === null)
        return [
          fault(
            user,
            'redis_sentinel_master',
            `the sentinel ${at} knows no primary named ${name}`,
            'Correct REDIS_SENTINEL_MASTER: it is the name of `sentinel monitor`.',
          ),
        ]
      if (typeof answer.result === 'string')
        return [
          fault(
            user,
            'redis_sentinel',
            `the sentinel ${at} refuses to name the primary: ${answer.result}`,
            `Give REDIS_SENTINEL_USER the rules: ${sentinelRules.join(' ')}`,
          ),
        ]
      return []
    }),
  )
  const few =
    sentinels.length < 3
      ? [
          advice(
            user,
            'redis_sentinels_few',
            `REDIS_SENTINELS names ${sentinels.length}: a failover needs most of at least three`,
            'Run three sentinels on three machines, and name all of them.',
          ),
        ]
      : []
  return [...found.flat(), ...few]
}

/** Every server that is, or may become, a primary. */
export async function checkMembers(
  config: RedisConfig,
  redis: RedisClient,
  user: RedisUser,
): Promise<Finding[]> {
  const mode = redisMode(config)
  if (mode === 'single') return []
  const { members, lonely } = redis instanceof Cluster ? await ofCluster(redis) : await ofPrimary(redis)
  const found = await Promise.all(members.map((member) => checkMember(config, member, user)))
  if (lonely.length > 0)
    found.push([
      advice(
        user,
        'redis_no_replica',
        `without a replica: ${lonely.join(', ')}`,
        'Add a replica to each primary: what has none is away until it is back itself.',
      ),
    ])
  return found.flat()
}

interface Members {
  members: Server[]
  /** Primaries without a replica. */
  lonely: string[]
}

async function ofCluster(redis: Cluster): Promise<Members> {
  const ranges = (await redis.cluster('SLOTS')) as unknown as [number, number, ...[string, number][]][]
  const members = new Map<string, Server>()
  const lonely = new Set<string>()
  for (const [, , ...nodes] of ranges) {
    const servers = nodes.map(([host, port]) => ({ host, port }))
    for (const each of servers) members.set(addressOf(each), each)
    if (servers.length === 1 && servers[0]) lonely.add(addressOf(servers[0]))
  }
  return { members: [...members.values()], lonely: [...lonely] }
}

async function ofPrimary(redis: Redis): Promise<Members> {
  const info = infoOf(await redis.info('replication').catch(() => ''))
  const members = [...info].flatMap(([name, value]) => {
    const [, host, port] = /^ip=([^,]+),port=(\d+)/.exec(value) ?? []
    return /^slave\d+$/.test(name) && host && port ? [{ host, port: Number(port) }] : []
  })
  return { members, lonely: info.get('role') === 'master' && members.length === 0 ? ['the primary'] : [] }
}

async function checkMember(config: RedisConfig, member: Server, user: RedisUser): Promise<Finding[]> {
  const at = addressOf(member)
  const answer = await attempt(alone(config, member), async (redis): Promise<Finding[]> => {
    try {
      await requireNoEviction(redis)
      return []
    } catch (error) {
      return [
        fault(
          user,
          'redis_evicts',
          `${at}: ${messageOf(error)}`,
          'Set `maxmemory-policy noeviction` at every member, or with CONFIG SET and CONFIG REWRITE.',
        ),
      ]
    }
  })
  return 'result' in answer
    ? answer.result
    : [notReached('redis_member', answer.error, user, `the member ${at}`, 'the same users at every member')]
}

function notReached(
  code: string,
  error: unknown,
  user: RedisUser,
  what: string,
  credentials: string,
): Finding {
  const text = messageOf(error)
  if (/WRONGPASS|NOAUTH|invalid username-password/.test(text))
    return fault(user, code, `${what} refuses the user or its password`, `Set ${credentials}.`)
  const refusal = certificateRefusal(codeOf(error), 'this name', 'REDIS_CA_FILE')
  if (refusal)
    return fault(
      user,
      code,
      `the certificate of ${what} ${refusal.what}`,
      `Of the certificate: ${refusal.cure}.`,
    )
  const away = unreachable(codeOf(error), what)
  return fault(
    user,
    code,
    away?.text ?? `${what} cannot be used: ${text}`,
    away?.cure ?? 'Check its address, and its log.',
  )
}
