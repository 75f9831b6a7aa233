import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { currentScope } from '../../platform/telemetry/scope.ts'
import { recordSpan } from '../../platform/telemetry/tracing.ts'
import type { ProviderObserver } from './providers.ts'

/**
 * Counts and times calls to providers, and records each as a span where a request, a job or a block waits for
 * it. One per process; returns the observer of a chain.
 */
export function createProviderMetrics(metrics: Metrics): (chain: string) => ProviderObserver {
  const calls = metrics.counter('rpc_calls_total', 'Calls to providers', [
    'chain',
    'provider',
    'method',
    'outcome',
  ])
  const seconds = metrics.histogram(
    'rpc_seconds',
    'Duration of calls to providers',
    ['chain', 'provider', 'method'],
    [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  const refused = metrics.counter(
    'rpc_refused_answers_total',
    'Answers of providers that did not hold together',
    ['chain', 'provider'],
  )
  const unproven = metrics.counter(
    'rpc_unproven_answers_total',
    'Blocks whose header or transactions this version could not prove, and trusted',
    ['chain', 'provider', 'what'],
  )
  const fallbacks = metrics.counter(
    'rpc_fallback_reads_total',
    'Blocks whose answer was not understood from its bytes, and was parsed',
    ['chain', 'provider'],
  )
  return (chain) => ({
    configured(provider) {
      refused.inc({ chain, provider }, 0)
      fallbacks.inc({ chain, provider }, 0)
      for (const what of ['header', 'transactions']) unproven.inc({ chain, provider, what }, 0)
    },
    refused: (provider) => refused.inc({ chain, provider }),
    unproven: (provider, what) => unproven.inc({ chain, provider, what }),
    notUnderstood: (provider) => fallbacks.inc({ chain, provider }),
    called(provider, method, outcome, duration) {
      calls.inc({ chain, provider, method, outcome })
      seconds.observe({ chain, provider, method }, duration)
      const parent = currentScope()?.trace
      if (parent?.traceFlags !== 1) return
      const attributes = {
        'rpc.system.name': 'jsonrpc',
        'rpc.method': method,
        'cowry.chain': chain,
        'cowry.provider': provider,
        'cowry.outcome': outcome,
      }
      recordSpan(`${chain} ${method}`, parent, {
        kind: 'client',
        attributes,
        startedAt: Date.now() - duration * 1000,
      })
    },
  })
}
