import { type Collected, createCollector } from './collector.ts'
import { Counter, collectDefaultMetrics, collectThreadMetrics, Gauge, Histogram, type MetricRecord, Registry, registryOf } from './promClient.ts'
import { pause } from './wait.ts'

/**
 * The metrics of one process, or of a part of it. Every name starts with `cowry_`; units are in the name. A name that parts have in
 * common is one metric: each part adds its own series to it.
 */
export interface Metrics {
  /** The name in the label `process`. */
  process: string
  registry: Registry
  /** All of them, as records. */
  read(): Promise<MetricRecord[]>
  /** All of them and those that were joined, in Prometheus' text format. */
  exposition(): Promise<string>
  /** Adds the metrics of a thread to each exposition; those that cannot be read within a second are left out. */
  join(read: () => Promise<MetricRecord[]>): void
  counter(name: string, help: string, labels?: readonly string[]): Counter
  gauge(name: string, help: string, labels?: readonly string[]): Gauge
  /** A gauge that is read at each scrape. One that cannot be read in time is left out of it; the others are not held up. */
  collected(name: string, help: string, labels: readonly string[], collect: (gauge: Collected) => void | Promise<void>): void
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram
  /** The metrics of a part, which may end before the process does: its collected gauges end with it. */
  part(): Metrics & { end(): void }
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
  collectDefaultMetrics(registry, 'cowry_')
  return metricsOf({ process, registry, collectors: new Map(), joined: [] })
}

/** The metrics of a thread: each series has its name as well, and of Node's own metrics there are those that a thread has for itself. */
export function createThreadMetrics(process: string, thread: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process, thread })
  collectThreadMetrics(registry, 'cowry_')
  return metricsOf({ process, registry, collectors: new Map(), joined: [] })
}

/** What the parts of a process, or of a thread, have in common. */
interface Common {
  process: string
  registry: Registry
  /** Of each collected gauge, by its name. */
  collectors: Map<string, Set<() => Promise<void>>>
  joined: (() => Promise<MetricRecord[]>)[]
}

const joinWithinMs = 1000

function metricsOf(all: Common, onEnd: (end: () => void) => void = () => {}): Metrics {
  const { process, registry, collectors, joined } = all
  const common = (name: string, help: string, labels: readonly string[]) => ({
    name: `cowry_${name}`,
    help,
    labelNames: [...labels],
    registers: [registry],
  })
  const known = <M>(name: string) => registry.getSingleMetric(`cowry_${name}`) as M | undefined
  const read = () => registry.getMetricsAsJSON() as Promise<MetricRecord[]>
  return {
    process,
    registry,
    read,
    async exposition() {
      if (joined.length === 0) return registry.metrics()
      const late = pause(joinWithinMs).then(() => [])
      const others = joined.map((each) => Promise.race([each().catch(() => []), late]))
      return registryOf([await read(), ...(await Promise.all(others))].flat()).metrics()
    },
    join: (each) => void joined.push(each),
    counter: (name, help, labels = []) => known<Counter>(name) ?? new Counter(common(name, help, labels)),
    gauge: (name, help, labels = []) => known<Gauge>(name) ?? new Gauge(common(name, help, labels)),
    histogram: (name, help, labels, buckets) => known<Histogram>(name) ?? new Histogram({ ...common(name, help, labels), buckets: [...buckets] }),
    collected(name, help, labels, collect) {
      const readers = collectors.get(name) ?? new Set()
      collectors.set(name, readers)
      const gauge =
        known<Gauge>(name) ??
        new Gauge({ ...common(name, help, labels), collect: async () => void (await Promise.all([...readers].map((read) => read()))) })
      const collector = createCollector(gauge, collect)
      readers.add(collector.read)
      onEnd(() => {
        readers.delete(collector.read)
        collector.clear()
      })
    },
    part() {
      const ends: (() => void)[] = []
      return { ...metricsOf(all, (end) => void ends.push(end)), end: () => ends.splice(0).forEach((end) => void end()) }
    },
  }
}
