import type { OutflowsContext } from './context.ts'
import type { Outflow } from './outflow.ts'

const [minMs, maxMs] = [5000, 300_000]

/** Until the partner is asked again for a payout: a quarter of the time that it has taken. A webhook is faster. */
export function nextLookMs({ pollMs }: Pick<OutflowsContext, 'pollMs'>, { submittedAt }: Pick<Outflow, 'submittedAt'>): number {
  const age = submittedAt === null ? 0 : Date.now() - submittedAt.getTime()
  return pollMs ?? Math.min(maxMs, Math.max(minMs, Math.round(age / 4)))
}
