import { randomUUID } from 'node:crypto'
import { queueNames } from '../../src/capabilities.ts'
import { messageOf } from '../../src/platform/errors.ts'
import {
  infoOf,
  primariesOf,
  type RedisClient,
  requireNoEviction,
  requireRedis,
} from '../../src/platform/redis/redis.ts'
import { redisMode, redisServers, redisVariables } from '../../src/platform/redis/redisTarget.ts'
import { type RedisMode, type RedisUser, redisRules } from '../../src/platform/redis/redisUsers.ts'
import { refuseWrongCertificate } from '../../src/platform/refuseWrongCertificate.ts'
import { attempt, checkMembers, checkSentinels } from './checkRedisMembers.ts'
import { codeOf, type DoctorContext, unreachable, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('redis')

const minVersion = [6, 2] as const

export async function checkRedis(ctx: DoctorContext, user: RedisUser): Promise<Finding[]> {
  const config = valuesOf(ctx, user, [...redisVariables, 'QUEUE_PREFIX'])
  if (!config) return []
  try {
    await refuseWrongCertificate(config)
  } catch (error) {
    return [
      fault(
        user,
        'redis_tls',
        messageOf(error),
        'Renew a certificate out of its time; otherwise name the authority in REDIS_CA_FILE, a host that the certificate is for, or redis:// without TLS.',
      ),
    ]
  }
  const mode = redisMode(config)
  const sentinels = mode === 'sentinel' ? await checkSentinels(config, user) : []
  // Without a sentinel there is no primary to check.
  if (sentinels.filter(({ state }) => state === 'fault').length === config.REDIS_SENTINELS?.length)
    return sentinels
  const answer = await attempt(config, async (redis): Promise<Finding[]> => {
    const info = infoOf(await infoTextOf(redis).catch(() => ''))
    const found = [
      ...sentinels,
      ...versionOf(info, user),
      ...(mode === 'cluster' ? await stateOf(redis, user) : await policyOf(redis, user)),
      ...(await keptOf(redis, info, user)),
      ...(await rightsOf(redis, user, config.QUEUE_PREFIX, mode)),
      ...(await checkMembers(config, redis, user)),
    ]
    return found.some(({ state }) => state === 'fault')
      ? found
      : [ok(user, `Redis ${info.get('redis_version') ?? ''} answers`), ...found]
  })
  return 'result' in answer
    ? answer.result
    : [
        ...sentinels,
        notConnected(
          answer.error,
          user,
          redisServers(config)
            .map(({ host, port }) => `${host}:${port}`)
            .join(', '),
        ),
      ]
}

/** Of any member of a cluster. */
const infoTextOf = async (redis: RedisClient): Promise<string> => (await primariesOf(redis))[0]?.info() ?? ''

async function stateOf(redis: RedisClient, user: RedisUser): Promise<Finding[]> {
  try {
    await requireRedis(redis)
    return []
  } catch (error) {
    return [
      fault(
        user,
        'redis_cluster',
        messageOf(error),
        'Start the missing primaries, or assign their slots: CLUSTER SHARDS shows both.',
      ),
    ]
  }
}

function notConnected(error: unknown, user: RedisUser, host: string): Finding {
  const text = messageOf(error)
  const setting = `${user.toUpperCase()}_REDIS_URL or REDIS_URL`
  if (/WRONGPASS|invalid username-password/.test(text))
    return fault(
      user,
      'redis_password',
      'Redis refuses the user or its password',
      `Correct ${setting}, or the user’s password in Redis (ACL SETUSER).`,
    )
  if (/NOAUTH/.test(text))
    return fault(user, 'redis_password', 'Redis wants a user and a password', `Give both in ${setting}.`)
  const away = unreachable(codeOf(error), host)
  return fault(
    user,
    'redis_unreachable',
    away?.text ?? `Redis cannot be used: ${text}`,
    away?.cure ?? `Check ${setting}.`,
  )
}

function versionOf(info: ReadonlyMap<string, string>, user: RedisUser): Finding[] {
  const version = info.get('redis_version')
  if (version === undefined)
    return [
      fault(
        user,
        'redis_rights',
        'the Redis user may not ask for INFO',
        `Give it the rule +info: BullMQ reads the version at its start.`,
      ),
    ]
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1])
  return isOld
    ? [
        fault(
          user,
          'redis_old',
          `Redis ${version} is too old`,
          `Upgrade it to Redis ${minVersion.join('.')} or later.`,
        ),
      ]
    : []
}

async function policyOf(redis: RedisClient, user: RedisUser): Promise<Finding[]> {
  try {
    await requireNoEviction(redis)
    return []
  } catch (error) {
    return [
      fault(
        user,
        'redis_evicts',
        messageOf(error),
        'Set `maxmemory-policy noeviction` in redis.conf, or with CONFIG SET and CONFIG REWRITE.',
      ),
    ]
  }
}

/** Only the worker may read how Redis keeps its data. */
async function keptOf(
  redis: RedisClient,
  info: ReadonlyMap<string, string>,
  user: RedisUser,
): Promise<Finding[]> {
  if (user !== 'worker' || info.get('aof_enabled') !== '0') return []
  const save = await (await primariesOf(redis))[0]?.config('GET', 'save').then(
    (answer) => (answer as string[])[1],
    () => undefined,
  )
  if (save !== '') return []
  return [
    advice(
      user,
      'redis_not_kept',
      'Redis keeps nothing on disk: after its restart, limits start from zero, and jobs wait until the relay sends them again',
      'Set `appendonly yes` in redis.conf.',
    ),
  ]
}

const keysOf = (user: RedisUser, prefix: string, mode: RedisMode): string[] => {
  const rules = redisRules(queueNames, prefix, mode)[user]
  return rules.filter((rule) => rule.startsWith('~')).map((rule) => rule.slice(1, -1))
}

/** Writes and removes a key in each place that the process uses, and reads one where it must not. */
async function rightsOf(
  redis: RedisClient,
  user: RedisUser,
  prefix: string,
  mode: RedisMode,
): Promise<Finding[]> {
  const refused: string[] = []
  const may = (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => {
        if (/^NOPERM/.test(messageOf(error))) return false
        throw error
      },
    )
  for (const place of keysOf(user, prefix, mode)) {
    const key = `${place}doctor-${randomUUID()}`
    const works =
      (await may(redis.set(key, '1', 'PX', 1000))) &&
      (await may(redis.eval('return redis.call("del", KEYS[1])', 1, key)))
    if (!works) refused.push(`${place}*`)
  }
  const found: Finding[] = []
  if (refused.length > 0)
    found.push(
      fault(
        user,
        'redis_rights',
        `the Redis user of ${user} may not use ${refused.slice(0, 3).join(', ')}${refused.length > 3 ? ` and ${refused.length - 3} more` : ''}`,
        `Set its rules: ACL SETUSER <user> resetkeys ${redisRules(queueNames, prefix, mode)[user].join(' ')}`,
      ),
    )
  if (await may(redis.get(`doctor-${randomUUID()}`)))
    found.push(
      advice(
        user,
        'redis_shared_user',
        `the Redis user of ${user} may use all keys`,
        `Give ${user} a user of its own, in ${user.toUpperCase()}_REDIS_URL, with the rules: ${redisRules(queueNames, prefix, mode)[user].join(' ')}`,
      ),
    )
  return found
}
