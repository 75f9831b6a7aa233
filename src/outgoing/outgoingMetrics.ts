import type { ConfiguredChain } from '../chains/registry.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type OutgoingStep, outgoingSteps } from './context.ts'

/** Counts what happens to what leaves. Every process that sends has them. */
export function createOutgoingMetrics(
  metrics: Metrics,
  chains: readonly Pick<ConfiguredChain, 'name'>[],
): (step: OutgoingStep, chain: string) => void {
  const steps = metrics.counter('outgoing_steps_total', 'What happened to transactions that leave', ['chain', 'step'])
  for (const { name } of chains) for (const step of outgoingSteps) steps.inc({ chain: name, step }, 0)
  return (step, chain) => steps.inc({ chain, step })
}
