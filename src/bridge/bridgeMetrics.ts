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

/** Gauges of transfers that have not ended, by route and status. Read at each scrape. */
export function createBridgeMetrics(metrics: Metrics, db: Db): void {
  const open = shared(() => readOpen(db))
  const gaugeOf = (name: string, help: string, of: (each: Open) => number) =>
    metrics.collected(name, help, [...route, 'status'], async (gauge) => {
      gauge.reset()
      for (const each of await open()) gauge.set({ source: each.source, destination: each.destination, status: each.status }, of(each))
    })
  gaugeOf('bridge_open', 'Bridge transfers that have not ended', ({ count }) => count)
  gaugeOf('bridge_open_oldest_seconds', 'Age of the oldest bridge transfer that has not ended, since its burn', ({ seconds }) => seconds)
}

const readOpen = (db: Queryable) =>
  db.query<Open>(
    `select source_chain as source, destination_chain as destination, status, count(*)::int as count,
       extract(epoch from now() - min(coalesce(burnt_at, created_at)))::float8 as seconds
     from bridge_transfers where status in ('pending', 'in_progress') group by 1, 2, 3`,
  )
