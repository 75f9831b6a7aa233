import { ConfigError } from '../platform/config.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { configuredChains } from './configuration.ts'
import { connectChain } from './connect.ts'
import { type LazyConnections, lazyConnections } from './lazyConnections.ts'
import { createProviderMetrics } from './providers/observe.ts'
import type { ConfiguredChain } from './registry.ts'

/** For a process that reads chains on demand. @throws ConfigError with the mistakes of every chain */
export function connectChains(
  ctx: { log: Log; metrics: Metrics; onStop(stop: () => Promise<void>): void },
  config: { RPC_TIMEOUT_MS: number; INDEXER_CROSS_CHECK_MS: number },
): { chains: readonly ConfiguredChain[]; connectionOf: LazyConnections['of'] } {
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const observerOf = createProviderMetrics(ctx.metrics)
  const connections = lazyConnections(chains, (chain) =>
    connectChain(chain, {
      timeoutMs: config.RPC_TIMEOUT_MS,
      crossCheckMs: config.INDEXER_CROSS_CHECK_MS,
      observe: observerOf(chain.name),
      log: ctx.log,
    }),
  )
  ctx.onStop(() => connections.close())
  return { chains, connectionOf: connections.of }
}
