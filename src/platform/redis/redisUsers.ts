export type RedisMode = 'single' | 'cluster' | 'sentinel'

/**
 * The prefix of a queue's keys. A Redis Cluster runs a script only on keys of one hash slot, which is that of
 * the text in braces (Redis Cluster specification, "Hash tags"). Each queue has its own, so that the
 * primaries share them.
 */
export const queuePrefix = (prefix: string, queue: string, isCluster: boolean): string =>
  isCluster ? `{${prefix}:${queue}}` : prefix

/** The processes that use Redis. */
export const redisUsers = ['api', 'worker', 'verification'] as const
export type RedisUser = (typeof redisUsers)[number]

const everyday = [
  '-@all',
  '+@read',
  '+@write',
  '+@scripting',
  '+@transaction',
  '+@connection',
  '-@dangerous',
  '-scan',
  '-randomkey',
]

/** A client of a cluster reads where each slot is. */
const ofCluster = ['+cluster|slots', '+cluster|info']

/**
 * ACL rules of each user: api and verification count limits, each its own; the worker has the queues. `info`
 * and `config|get` are used at the start. docker-compose.yml has the same rules.
 * @param queues names of all queues
 */
export function redisRules(
  queues: readonly string[],
  prefix = 'cowry',
  mode: RedisMode = 'single',
): Record<RedisUser, string[]> {
  const isCluster = mode === 'cluster'
  const usual = isCluster ? [...everyday, ...ofCluster] : everyday
  return {
    api: ['resetchannels', `~${prefix}:limit:*`, ...usual, '+info'],
    verification: ['resetchannels', `~${prefix}:verification:limit:*`, ...usual, '+info'],
    worker: [
      'resetchannels',
      ...queues.map((name) => `~${queuePrefix(prefix, name, isCluster)}:${name}:*`),
      ...usual,
      '+info',
      '+config|get',
    ],
  }
}

/** ACL rules of the user that queries sentinels for the primary (`REDIS_SENTINEL_USER`). */
export const sentinelRules = [
  'resetchannels',
  '-@all',
  '+@connection',
  '+sentinel|get-master-addr-by-name',
  '+sentinel|sentinels',
]
