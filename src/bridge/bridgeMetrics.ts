import type { Db, Queryable } from '../platform/db.ts'
import { type Metrics, shared } from '../platform/metrics.ts'
import type { BridgeContext } from './context.ts'

const route = ['source', 'destination'] as const

/** Counts the steps of transfers, by route. */
export function createBridgeCounter(metrics: Metrics): BridgeContext['observe'] {
  const steps = metrics.counter('bridge_steps_total', 'Steps of bridge transfers', ['step', ...route])
  return (step, { sourceChain, destinationChain }) => steps.inc({ step, source: sourceChain, destination: destinationChain })
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
 * Gauges of transfers that have not ended, by route and status. `not_final`: completed, and its mint may still be taken back. Read at each scrape.
 */
export function createBridgeMetrics(metrics: Metrics, db: Db): void {
  const open = shared(() => readOpen(db))
  const gaugeOf = (name: string, help: string, of: (each: Open) => number) =>
    metrics.collected(name, help, [...route, 'status'], async (gauge) => {
      gauge.reset()
      for (const each of await open()) gauge.set({ source: each.source, destination: each.destination, status: each.status }, of(each))
    })
  gaugeOf('bridge_open', 'Bridge transfers that have not ended', ({ count }) => count)
  gaugeOf('bridge_open_oldest_seconds', 'Age of the oldest bridge transfer that has not ended, since its burn', ({ seconds }) => seconds)
  metrics.collected(
    'bridge_unburnt',
    'Bridge transfers that are minted, and whose burn a fork has taken back',
    [...route, 'state'],
    async (gauge) => {
      gauge.reset()
      for (const { source, destination, state, count } of await readUnburnt(db)) gauge.set({ source, destination, state }, count)
    },
  )
}

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
