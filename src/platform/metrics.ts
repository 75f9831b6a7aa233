import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of one process. Every name starts with `cowry_`; units are in the name. */
export interface Metrics {
  registry: Registry
  counter(name: string, help: string, labels?: readonly string[]): Counter
  gauge(name: string, help: string, labels?: readonly string[], collect?: (gauge: Gauge) => void | Promise<void>): Gauge
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram
}

const collectWithinMs = 1000

/** Reads a gauge for a scrape. One that cannot be read in time is left out of it; the others are not held up. */
async function collected(gauge: Gauge, collect: (gauge: Gauge) => void | Promise<void>): Promise<void> {
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), collectWithinMs).unref()
  })
  const outcome = await Promise.race([(async () => collect(gauge))().catch(() => 'late' as const), late])
  if (outcome === 'late') gauge.reset()
}

/** Gives what was read a moment ago instead of reading again: several gauges of one scrape share one query. */
export function shared<T>(read: () => Promise<T>, forMs = 500): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | null = null
  return () => {
    if (last === null || Date.now() - last.at > forMs) last = { at: Date.now(), value: read() }
    return last.value
  }
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry, prefix: 'cowry_' })
  return {
    registry,
    counter: (name, help, labels = []) => new Counter({ name: `cowry_${name}`, help, labelNames: [...labels], registers: [registry] }),
    gauge: (name, help, labels = [], collect) => {
      const gauge: Gauge = new Gauge({
        name: `cowry_${name}`,
        help,
        labelNames: [...labels],
        registers: [registry],
        ...(collect ? { collect: () => collected(gauge, collect) } : {}),
      })
      return gauge
    },
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name: `cowry_${name}`, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
  }
}
