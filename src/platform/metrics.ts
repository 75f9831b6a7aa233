import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of one process. Every name starts with `cowry_`; units are in the name. */
export interface Metrics {
  registry: Registry
  counter(name: string, help: string, labels?: readonly string[]): Counter
  gauge(name: string, help: string, labels?: readonly string[], collect?: (gauge: Gauge) => void | Promise<void>): Gauge
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram
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
        ...(collect ? { collect: () => collect(gauge) } : {}),
      })
      return gauge
    },
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name: `cowry_${name}`, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
  }
}
