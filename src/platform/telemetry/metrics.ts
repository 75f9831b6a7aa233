import type { RegistryContentType } from 'prom-client'
import { pause } from '../wait.ts'
import { type Collected, createCollector } from './collector.ts'
import {
  Counter,
  collectDefaultMetrics,
  collectThreadMetrics,
  Gauge,
  Histogram,
  type MetricRecord,
  Registry,
  registryOf,
} from './promClient.ts'
import { underOldNames } from './renamedMetrics.ts'
import { currentScope, type TraceContext } from './scope.ts'
import { isTracing } from './tracing.ts'

/**
 * The metrics of one process, or of a part of it. Every name starts with `cowry_`; units are in the name. If
 * several parts use a name, it is one metric to which each part adds its own series.
 */
export interface Metrics {
  /** Value of the label `process`. */
  process: string
  registry: Registry
  /** All metrics as records. */
  read(): Promise<MetricRecord[]>
  /**
   * All metrics, those of joined threads included, in Prometheus' text format, or in that of OpenMetrics,
   * which has exemplars. The series are the same.
   */
  exposition(format?: Format): Promise<string>
  /** Adds a thread's metrics to each exposition; skipped if they cannot be read within a second. */
  join(read: () => Promise<MetricRecord[]>): void
  counter(name: string, help: string, labels?: readonly string[]): Counter
  gauge(name: string, help: string, labels?: readonly string[]): Gauge
  /** A gauge read at each scrape. If its reader is late it is skipped, without delaying the others. */
  collected(
    name: string,
    help: string,
    labels: readonly string[],
    collect: (gauge: Collected) => void | Promise<void>,
  ): void
  /** What is observed in a trace that is recorded leads to it by an exemplar. */
  histogram(
    name: string,
    help: string,
    labels: readonly string[],
    buckets: readonly number[],
  ): ObservedHistogram
  /** Metrics of a part that may end before the process; its collected gauges end with it. */
  part(): Metrics & { end(): void }
}

export type Format = 'text' | 'openmetrics'

export const contentTypes: Readonly<Record<Format, RegistryContentType>> = {
  text: Registry.PROMETHEUS_CONTENT_TYPE,
  openmetrics: Registry.OPENMETRICS_CONTENT_TYPE,
}

type Labels = Record<string, string | number>

export interface ObservedHistogram {
  /** @param trace of what was measured; default: the current one */
  observe(labels: Labels, value: number, trace?: TraceContext | null): void
  zero(labels: Labels): void
}

/** Reuses a recent result: several gauges of one scrape share one query. */
export function shared<T>(read: () => Promise<T>, forMs = 500): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | null = null
  return () => {
    if (last === null || Date.now() - last.at > forMs) last = { at: Date.now(), value: read() }
    return last.value
  }
}

/** prom-client keeps exemplars only for such a registry. */
function newRegistry(): Registry {
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(contentTypes.openmetrics)
  return registry as Registry
}

export function createMetrics(process: string): Metrics {
  const registry = newRegistry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics(registry, 'cowry_')
  return metricsOf({ process, registry, collectors: new Map(), joined: [] })
}

/**
 * Metrics of a thread: each series also has the thread's name; of Node's metrics only the per-thread ones are
 * included.
 */
export function createThreadMetrics(process: string, thread: string): Metrics {
  const registry = newRegistry()
  registry.setDefaultLabels({ process, thread })
  collectThreadMetrics(registry, 'cowry_')
  return metricsOf({ process, registry, collectors: new Map(), joined: [] })
}

/** Shared by the parts of a process or thread. */
interface Common {
  process: string
  registry: Registry
  /** By the name of the collected gauge. */
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
    async exposition(format = 'text') {
      const late = pause(joinWithinMs).then(() => [])
      const others = joined.map((each) => Promise.race([each().catch(() => []), late]))
      const records = [await read(), ...(await Promise.all(others))].flat()
      return registryOf([...records, ...underOldNames(records)], contentTypes[format]).metrics()
    },
    join: (each) => void joined.push(each),
    counter: (name, help, labels = []) => known<Counter>(name) ?? new Counter(common(name, help, labels)),
    gauge: (name, help, labels = []) => known<Gauge>(name) ?? new Gauge(common(name, help, labels)),
    histogram: (name, help, labels, buckets) =>
      observed(
        known<Histogram>(name) ??
          new Histogram({ ...common(name, help, labels), buckets: [...buckets], enableExemplars: true }),
      ),
    collected(name, help, labels, collect) {
      const readers = collectors.get(name) ?? new Set()
      collectors.set(name, readers)
      const gauge =
        known<Gauge>(name) ??
        new Gauge({
          ...common(name, help, labels),
          collect: async () => void (await Promise.all([...readers].map((read) => read()))),
        })
      const collector = createCollector(gauge, collect)
      readers.add(collector.read)
      onEnd(() => {
        readers.delete(collector.read)
        collector.clear()
      })
    },
    part() {
      const ends: (() => void)[] = []
      return {
        ...metricsOf(all, (end) => void ends.push(end)),
        end: () => ends.splice(0).forEach((end) => void end()),
      }
    },
  }
}

function observed(histogram: Histogram): ObservedHistogram {
  return {
    observe(labels, value, trace = currentScope()?.trace) {
      const isRecorded = isTracing() && trace?.traceFlags === 1
      histogram.observe({ labels, value, exemplarLabels: isRecorded ? { trace_id: trace.traceId } : {} })
    },
    zero: (labels) => histogram.zero(labels),
  }
}
