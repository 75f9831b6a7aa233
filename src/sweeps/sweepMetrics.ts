import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { type SweepStep, sweepSteps } from './context.ts'
import { storedFloats } from './floats.ts'

/** Counts steps of sweeps by chain. */
export function createSweepCounter(
  metrics: Metrics,
  chains: readonly ConfiguredChain[],
): (step: SweepStep, chain: string) => void {
  const steps = metrics.counter('sweep_steps_total', 'Steps of sweeps, by what happened', ['step', 'chain'])
  for (const { name } of chains) for (const step of sweepSteps) steps.inc({ step, chain: name }, 0)
  return (step, chain) => steps.inc({ step, chain })
}

/**
 * Gauges of open sweeps and of the treasury's floats. Read at each scrape; amounts are approximate, as
 * metrics are.
 */
export function createSweepMetrics(metrics: Metrics, db: Db, chains: readonly ConfiguredChain[]): void {
  const assets = chains.flatMap((chain) =>
    assetsOf(chain).map(({ symbol }) => ({ chain: chain.name, asset: symbol })),
  )
  metrics.collected('sweeps_open', 'Sweeps that are not done', ['chain', 'status'], async (gauge) => {
    gauge.resetTo(labelSets({ chain: chains.map(({ name }) => name), status: openStatuses }))
    for (const { chain, status, count } of await openSweeps(db)) gauge.set({ chain, status }, count)
  })
  metrics.collected(
    'stranded_value',
    'Whole coins on deposit addresses that cost too much to sweep',
    ['chain', 'asset'],
    async (gauge) => {
      gauge.resetTo(assets)
      for (const { chain, asset, amount } of await strandedValue(db))
        gauge.set({ chain, asset }, Number(amount))
    },
  )
  const floats = (name: string, help: string, of: 'balance' | 'lowWater') =>
    metrics.collected(name, help, ['chain', 'asset'], async (gauge) => {
      gauge.resetTo(assets)
      for (const float of await storedFloats(db, chains))
        gauge.set({ chain: float.chain, asset: float.token }, Number(float[of]))
    })
  floats('treasury_float', "Base units that the treasury's address holds; 0 until they were read", 'balance')
  floats(
    'treasury_low_water',
    'Base units below which the treasury has too little; 0 until its balance was read',
    'lowWater',
  )
}

const openStatuses = ['planned', 'waiting', 'funding', 'authorizing', 'ready', 'sending', 'swept']

const openSweeps = (db: Queryable) =>
  db.query<{ chain: string; status: string; count: number }>(
    "select chain, status, count(*)::int as count from sweeps where status not in ('done', 'failed') group by 1, 2",
  )

/** By chain and asset, in whole coins. */
const strandedValue = (db: Queryable) =>
  db.query<{ chain: string; asset: string; amount: string }>(
    `select chain, token as asset, sum(amount / power(10::numeric, decimals))::text as amount from sweeps where status = 'waiting' group by 1, 2`,
  )
