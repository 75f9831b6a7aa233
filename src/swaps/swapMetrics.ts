import { labelSets } from '../platform/telemetry/labelSets.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { type SwapProviderName, type SwapProviders, swapOutcomes } from './provider.ts'

const buckets = [0.1, 0.25, 0.5, 1, 2, 5]

/** Counts requests to swap providers, by provider and outcome. */
export function createSwapMetrics(
  metrics: Metrics,
  providers: readonly SwapProviderName[],
): SwapProviders['observe'] {
  const labels = ['provider', 'outcome']
  const requests = metrics.counter('swap_requests_total', 'Requests to swap providers', labels)
  const help = 'Time that a swap provider takes'
  const seconds = metrics.histogram('swap_request_seconds', help, ['provider'], buckets)
  for (const each of labelSets({ provider: providers, outcome: swapOutcomes })) requests.inc(each, 0)
  for (const provider of providers) seconds.zero({ provider })
  return (provider, outcome, took) => {
    requests.inc({ provider, outcome })
    if (outcome !== 'busy') seconds.observe({ provider }, took)
  }
}
