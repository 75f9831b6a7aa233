import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { suspenseState } from './suspenseState.ts'

export function createSuspenseMetrics(
  metrics: Metrics,
  db: Queryable,
  chains: readonly ConfiguredChain[],
): void {
  metrics.collected(
    'suspense_payments',
    'Payments that name no session and wait for a decision of the operator',
    ['chain', 'token'],
    async (gauge) => {
      gauge.resetTo(
        chains.flatMap((chain) =>
          assetsOf(chain).map(({ symbol }) => ({ chain: chain.name, token: symbol })),
        ),
      )
      for (const { chain, token, payments } of await suspenseState(db)) gauge.set({ chain, token }, payments)
    },
  )
}
