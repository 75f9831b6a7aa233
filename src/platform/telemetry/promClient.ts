import type { Metric, MetricObject, MetricValue, RegistryContentType } from 'prom-client'
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import { aggregators } from 'prom-client/lib/metricAggregators.js'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import gc from 'prom-client/lib/metrics/gc.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import heapSpacesSizeAndUsed from 'prom-client/lib/metrics/heapSpacesSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processHandles from 'prom-client/lib/metrics/processHandles.js'
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processRequests from 'prom-client/lib/metrics/processRequests.js'
import processResources from 'prom-client/lib/metrics/processResources.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import version from 'prom-client/lib/metrics/version.js'
import Registry from 'prom-client/lib/registry.js'

// The parts of prom-client in use. Its main entry point also loads OpenTelemetry, a push gateway and cluster
// support.

export { Counter, Gauge, Histogram, Registry }

const defaultMetrics = [
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  heapSpacesSizeAndUsed,
  version,
  gc,
]

/** Gauges that prom-client names like counters. */
export const misnamedDefaults = [
  'nodejs_active_handles',
  'nodejs_active_requests',
  'nodejs_active_resources',
] as const

/**
 * The same metrics as prom-client's `collectDefaultMetrics`, and the same names except for the misnamed ones.
 */
export function collectDefaultMetrics(registry: Registry, prefix: string): void {
  collectCpu(registry, prefix)
  for (const collect of defaultMetrics) collect(registry, { prefix, eventLoopMonitoringPrecision: 10 })
  for (const name of misnamedDefaults) {
    const metric = registry.getSingleMetric(`${prefix}${name}_total`) as
      | (Metric & { name: string })
      | undefined
    if (!metric) continue
    registry.removeSingleMetric(metric.name)
    metric.name = `${prefix}${name.replace('active', 'all_active')}`
    registry.registerMetric(metric)
  }
}

/** The subset of these metrics that each thread has for itself. */
export function collectThreadMetrics(registry: Registry, prefix: string): void {
  for (const collect of [eventLoopLag, heapSizeAndUsed, heapSpacesSizeAndUsed, gc])
    collect(registry, { prefix, eventLoopMonitoringPrecision: 10 })
}

/** A metric with its series, as a registry returns it and as threads exchange it. */
export type MetricRecord = MetricObject & {
  values: (MetricValue<string> & { metricName?: string; exemplar?: object | null | undefined })[]
}

/** Merges the records of several registries: one metric per name; series with the same labels are summed. */
export function registryOf(
  records: readonly MetricRecord[],
  contentType: RegistryContentType,
): Registry<RegistryContentType> {
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(contentType)
  for (const [, same] of Map.groupBy(records, ({ name }) => name)) {
    const whole = withExemplars(aggregators.sum([...same]) as MetricRecord, same)
    // Under OpenMetrics the registry takes `_total` from the name of a counter, and puts it back behind that
    // of each series.
    const metric = { ...whole, get: () => ({ ...whole, name: metric.name }) }
    registry.registerMetric(metric as never)
  }
  return registry
}

/** The sum has the labels of the first of its series, and no exemplar. */
function withExemplars(whole: MetricRecord, records: readonly MetricRecord[]): MetricRecord {
  if (whole.type !== ('histogram' as never)) return whole
  const exemplars = new Map(
    records.flatMap(({ values }) =>
      values.flatMap(({ labels, exemplar }) => (exemplar ? [[labels, exemplar] as const] : [])),
    ),
  )
  if (exemplars.size === 0) return whole
  return { ...whole, values: whole.values.map((each) => ({ ...each, exemplar: exemplars.get(each.labels) })) }
}

/** Reimplemented: prom-client's own file for these loads OpenTelemetry. */
function collectCpu(registry: Registry, prefix: string): void {
  let last = process.cpuUsage()
  const seconds = (name: string, help: string, collect?: () => void) =>
    new Counter({
      name: `${prefix}process_cpu_${name}`,
      help,
      registers: [registry],
      ...(collect ? { collect } : {}),
    })
  const user = seconds('user_seconds_total', 'Total user CPU time spent in seconds.', () => {
    const now = process.cpuUsage()
    user.inc((now.user - last.user) / 1e6)
    system.inc((now.system - last.system) / 1e6)
    both.inc((now.user - last.user + now.system - last.system) / 1e6)
    last = now
  })
  const system = seconds('system_seconds_total', 'Total system CPU time spent in seconds.')
  const both = seconds('seconds_total', 'Total user and system CPU time spent in seconds.')
}
