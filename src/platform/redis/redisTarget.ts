import type { Certificates, Server } from '../settings.ts'
import type { RedisMode } from './redisUsers.ts'

/** The variables of how Redis is reached. A part's own URL replaces `REDIS_URL`. */
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

export const redisMode = (
  config: Pick<RedisConfig, 'REDIS_CLUSTER_NODES' | 'REDIS_SENTINELS'>,
): RedisMode => {
  if (config.REDIS_CLUSTER_NODES) return 'cluster'
  return config.REDIS_SENTINELS ? 'sentinel' : 'single'
}

/** Servers that the settings name: for messages, and for what must not be reached from outside. */
export function redisServers(config: RedisConfig): Server[] {
  const { hostname, port } = new URL(config.REDIS_URL)
  return [
    ...(config.REDIS_CLUSTER_NODES ??
      config.REDIS_SENTINELS ?? [{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 6379 }]),
  ]
}
