import type { ApiStart } from '../src/capability.ts'
import { monitoringSettings } from '../src/monitoring/settings.ts'
import type { ConnectionLimits } from '../src/platform/http/connections.ts'
import type { RedisClient } from '../src/platform/redis/redis.ts'
import type { Caps } from '../src/rateLimits/caps.ts'
import { createRateLimiter } from '../src/rateLimits/rateLimiter.ts'
import { endpointSettings } from '../src/webhooks/settings.ts'
import type { ApiContext } from './context.ts'
import { bodiesInFlight } from './middleware/bodiesInFlight.ts'
import type { ApiConfig } from './openStores.ts'
import { createRefusals } from './refusals.ts'

/** Limits of requests and their bodies, and the counts of what they refuse. */
export function createLimits(
  { log, metrics, settings }: Pick<ApiStart, 'log' | 'metrics' | 'settings'>,
  redis: RedisClient,
  config: ApiConfig,
): Pick<ApiContext, 'limiter' | 'requestLimits' | 'caps' | 'bodies' | 'refusals'> {
  const refusals = createRefusals(metrics)
  const bodies = bodiesInFlight(config.API_BODY_BYTES, (reason) => refusals.inc({ reason }))
  metrics.collected('http_body_bytes', 'Bytes held by bodies of requests', [], (gauge) =>
    gauge.set(bodies.bytes()),
  )
  const caps: Caps = {
    monitoredAddresses: settings(monitoringSettings.api).CAP_MONITORED_ADDRESSES,
    openSessions: config.CAP_OPEN_SESSIONS,
    endpointsPerHost: config.CAP_ENDPOINTS_PER_HOST,
    deliveriesPerHost: settings(endpointSettings).CAP_DELIVERIES_PER_HOST,
    importBlocksPerDay: config.CAP_IMPORT_BLOCKS_PER_DAY,
    replaysPerDay: config.CAP_REPLAYS_PER_DAY,
    nodeQuestionsPerDay: config.CAP_NODE_QUESTIONS_PER_DAY,
  }
  return {
    limiter: createRateLimiter({ redis, log, metrics }, config.QUEUE_PREFIX),
    requestLimits: { perBusiness: config.RATE_LIMIT_BUSINESS, perAddress: config.RATE_LIMIT_ADDRESS },
    caps,
    bodies,
    refusals,
  }
}

export const connectionLimitsOf = (config: ApiConfig): ConnectionLimits => ({
  connections: config.API_CONNECTIONS,
  perNetwork: config.API_CONNECTIONS_PER_NETWORK,
  exempt: config.TRUSTED_PROXIES,
  headersMs: config.API_HEADERS_SECONDS * 1000,
  requestMs: config.API_REQUEST_SECONDS * 1000,
  keepAliveMs: config.API_KEEP_ALIVE_SECONDS * 1000,
})
