import type { ConfiguredChain } from '../chains/registry.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import { type BridgeContext, bridgeSteps } from './context.ts'

const route = ['source', 'destination'] as const

type BridgedChain = Pick<ConfiguredChain, 'name' | 'cctp'>

/** From each chain of the deployment that has the bridge to each other one. */
const routesOf = (chains: readonly BridgedChain[]) => {
  const names = chains.flatMap(({ name, cctp }) => (cctp ? [name] : []))
  return labelSets({ source: names, destination: names }).filter(
    ({ source, destination }) => source !== destination,
  )
}

/** Counts the steps of transfers, by route. */
export function createBridgeCounter(
  metrics: Metrics,
  chains: readonly BridgedChain[],
): BridgeContext['observe'] {
  const steps = metrics.counter('bridge_steps_total', 'Steps of bridge transfers', ['step', ...route])
  for (const each of routesOf(chains)) for (const step of bridgeSteps) steps.inc({ ...each, step }, 0)
  return (step, { sourceChain, destinationChain }) =>
    steps.inc({ step, source: sourceChain, destination: destinationChain })
}

interface Open {
  source: string
  destination: string
  status: string
  count: number
  seconds: number
}

interface Unburnt {
  source: string
  destination: string
  state: string
  count: number
}

/**
 * Gauges of transfers that have not ended, by route and status. `not_final`: completed, and its mint may
 * still be taken back. Read at each scrape.
 */
export function createBridgeMetrics(metrics: Metrics, db: Db, chains: readonly BridgedChain[]): void {
  const routes = routesOf(chains)
  const open = shared(() => readOpen(db))
  const gaugeOf = (name: string, help: string, of: (each: Open) => number) =>
    metrics.collected(name, help, [...route, 'status'], async (gauge) => {
      gauge.resetTo(
        routes.flatMap((each) =>
          labelSets({ status: openStatuses }).map((status) => ({ ...each, ...status })),
        ),
      )
      for (const each of await open())
        gauge.set({ source: each.source, destination: each.destination, status: each.status }, of(each))
    })
  gaugeOf('bridge_open', 'Bridge transfers that have not ended', ({ count }) => count)
  gaugeOf(
    'bridge_open_oldest_seconds',
    'Age of the oldest bridge transfer that has not ended, since its burn',
    ({ seconds }) => seconds,
  )
  metrics.collected(
    'bridge_unburnt',
    'Bridge transfers that are minted, and whose burn a fork has taken back',
    [...route, 'state'],
    async (gauge) => {
      gauge.resetTo(
        routes.flatMap((each) =>
          labelSets({ state: ['taken_back', 'lost'] }).map((state) => ({ ...each, ...state })),
        ),
      )
      for (const { source, destination, state, count } of await readUnburnt(db))
        gauge.set({ source, destination, state }, count)
    },
  )
}

const openStatuses = ['pending', 'in_progress', 'not_final']

const readOpen = (db: Queryable) =>
  db.query<Open>(
    `select source_chain as source, destination_chain as destination, case status when 'completed' then 'not_final' else status end as status, count(*)::int as count,
       extract(epoch from now() - min(coalesce(burnt_at, created_at)))::float8 as seconds
     from (
       select * from bridge_transfers where status in ('pending', 'in_progress')
       union all
       select * from bridge_transfers where status = 'completed' and next_at is not null and reclaim_at is null
     ) open group by 1, 2, 3`,
  )

const readUnburnt = (db: Queryable) =>
  db.query<Unburnt>(
    `select source_chain as source, destination_chain as destination, unburnt as state, count(*)::int as count
     from bridge_transfers where unburnt is not null group by 1, 2, 3`,
  )
