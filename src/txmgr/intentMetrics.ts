import type { Db } from '../platform/database/db.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import { countUnsettled, type UnsettledCount, unsettledStatuses } from './dueIntents.ts'
import { type FeeSettings, feeLimits, feesSigned } from './fees/feeLimits.ts'
import { readTokenFees } from './fees/tokenFees.ts'
import { readPauses } from './pause.ts'
import { isRestored } from './restored.ts'

/** Gauges of what is not settled, and of what stops sending. Read at each scrape. */
export function createIntentMetrics(metrics: Metrics, db: Db, chains: readonly FeeSettings[]): void {
  const names = chains.map(({ name }) => name)
  const unsettled = shared(() => countUnsettled(db))
  const gaugeOf = (name: string, help: string, of: (state: UnsettledCount) => number) =>
    metrics.collected(name, help, ['chain', 'status'], async (gauge) => {
      gauge.resetTo(labelSets({ chain: names, status: unsettledStatuses }))
      for (const state of await unsettled())
        gauge.set({ chain: state.chain, status: state.status }, of(state))
    })
  gaugeOf('intents_unsettled', 'Intents that are not settled', (state) => state.count)
  gaugeOf(
    'intents_oldest_age_seconds',
    'Age of the oldest intent that is not settled',
    (state) => state.seconds,
  )
  metrics.collected('txmgr_paused', '1 while the operator has paused the chain', ['chain'], async (gauge) => {
    gauge.resetTo(labelSets({ chain: names }))
    for (const { chain } of await readPauses(db)) gauge.set({ chain }, 1)
  })
  metrics.collected(
    'txmgr_fee_budget_used_ratio',
    'Share of the budget of fees that was signed within 24 hours; 0 for a chain without a budget',
    ['chain'],
    async (gauge) => {
      gauge.resetTo(labelSets({ chain: names }))
      for (const chain of chains) {
        const { budget } = await feeLimits(db, chain)
        if (budget !== null)
          gauge.set({ chain: chain.name }, Number(await feesSigned(db, chain.name)) / Number(budget))
      }
    },
  )
  metrics.collected(
    'token_fee_kept_transactions',
    'Outgoing transactions of the last 24 hours of which a token kept a part, so that less arrived than was sent',
    ['chain'],
    async (gauge) => {
      gauge.resetTo(labelSets({ chain: names }))
      for (const { chain, count } of await readTokenFees(db)) gauge.set({ chain }, count)
    },
  )
  metrics.collected(
    'txmgr_restored',
    '1 while nothing is signed or sent because the database was restored',
    [],
    async (gauge) => gauge.set((await isRestored(db)) ? 1 : 0),
  )
}
