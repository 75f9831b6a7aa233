/** The processes that use Redis. */
export const redisUsers = ['api', 'worker', 'verification'] as const
export type RedisUser = (typeof redisUsers)[number]

const everyday = ['-@all', '+@read', '+@write', '+@scripting', '+@transaction', '+@connection', '-@dangerous', '-scan', '-randomkey']

/**
 * ACL rules of each user: api and verification count limits, each its own; the worker has the queues. `info` and `config|get` are used at the
 * start. docker-compose.yml has the same rules.
 * @param queues names of all queues
 */
export function redisRules(queues: readonly string[], prefix = 'cowry'): Record<RedisUser, string[]> {
  return {
    api: ['resetchannels', `~${prefix}:limit:*`, ...everyday, '+info'],
    verification: ['resetchannels', `~${prefix}:verification:limit:*`, ...everyday, '+info'],
    worker: ['resetchannels', ...queues.map((name) => `~${prefix}:${name}:*`), ...everyday, '+info', '+config|get'],
  }
}
