import type { Certificates, Server } from './settings.ts'

/** The variables that say how Redis is reached. A part's own URL replaces `REDIS_URL`. */
export const redisVariables = [
  'REDIS_CA_FILE',
  'REDIS_CLUSTER_NODES',
  'REDIS_SENTINELS',
  'REDIS_SENTINEL_MASTER',
  'REDIS_SENTINEL_PASSWORD',
  'REDIS_SENTINEL_USER',
  'REDIS_URL',
] as const

export interface RedisConfig {
  REDIS_URL: string
  REDIS_CA_FILE?: Certificates | undefined
  REDIS_CLUSTER_NODES?: readonly Server[] | undefined
  REDIS_SENTINELS?: readonly Server[] | undefined
  REDIS_SENTINEL_MASTER?: string | undefined
  REDIS_SENTINEL_USER?: string | undefined
  REDIS_SENTINEL_PASSWORD?: string | undefined
}

export type RedisMode = 'single' | 'cluster' | 'sentinel'

export const redisMode = (config: Pick<RedisConfig, 'REDIS_CLUSTER_NODES' | 'REDIS_SENTINELS'>): RedisMode => {
  if (config.REDIS_CLUSTER_NODES) return 'cluster'
  return config.REDIS_SENTINELS ? 'sentinel' : 'single'
}

/** Servers that the settings name: for messages, and for what must not be reached from outside. */
export function redisServers(config: RedisConfig): Server[] {
  const { hostname, port } = new URL(config.REDIS_URL)
  return [...(config.REDIS_CLUSTER_NODES ?? config.REDIS_SENTINELS ?? [{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 6379 }])]
}

/**
 * The prefix of a queue's keys. A Redis Cluster runs a script only on keys of one hash slot, which is that of the text in braces (Redis Cluster
 * specification, "Hash tags"). Each queue has its own, so that the primaries share them.
 */
export const queuePrefix = (prefix: string, queue: string, isCluster: boolean): string => (isCluster ? `{${prefix}:${queue}}` : prefix)

/** Mistakes that only several settings together show. */
export function redisMistakes(values: Readonly<Record<string, unknown>>): string[] {
  const config = values as Partial<RedisConfig>
  if (config.REDIS_URL === undefined) return []
  const mistakes: string[] = []
  const { protocol, pathname } = new URL(config.REDIS_URL)
  if (config.REDIS_CA_FILE && protocol !== 'rediss:')
    mistakes.push('REDIS_CA_FILE is set, but REDIS_URL starts with redis://, which is without TLS: use rediss://')
  if (config.REDIS_CLUSTER_NODES && config.REDIS_SENTINELS) mistakes.push('REDIS_CLUSTER_NODES and REDIS_SENTINELS exclude each other: set one')
  if (config.REDIS_CLUSTER_NODES?.length === 0) mistakes.push('REDIS_CLUSTER_NODES names no server')
  if (config.REDIS_SENTINELS?.length === 0) mistakes.push('REDIS_SENTINELS names no server')
  if (config.REDIS_SENTINELS && !config.REDIS_SENTINEL_MASTER)
    mistakes.push('REDIS_SENTINEL_MASTER is not set: it is the name by which the sentinels know the primary')
  if (config.REDIS_SENTINEL_MASTER && !config.REDIS_SENTINELS) mistakes.push('REDIS_SENTINELS is not set, but REDIS_SENTINEL_MASTER is')
  if (config.REDIS_CLUSTER_NODES && !['', '/', '/0'].includes(pathname))
    mistakes.push(`REDIS_URL names the database ${pathname.slice(1)}: a Redis Cluster has only 0`)
  return mistakes
}
