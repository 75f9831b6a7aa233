import type { ConfiguredChain } from '../chains/registry.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { type TxManagerStep, txManagerSteps } from './context.ts'

/** Counts the steps of intents, in every process that sends. */
export function createTxManagerMetrics(
  metrics: Metrics,
  chains: readonly Pick<ConfiguredChain, 'name'>[],
): (step: TxManagerStep, chain: string) => void {
  const steps = metrics.counter('txmgr_steps_total', 'Steps of intents', ['chain', 'step'])
  for (const { name } of chains) for (const step of txManagerSteps) steps.inc({ chain: name, step }, 0)
  return (step, chain) => steps.inc({ chain, step })
}
