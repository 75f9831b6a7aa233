import {
  aggregators,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  type MetricObject,
  type MetricValue,
  collectDefaultMetrics as ofPromClient,
  Registry,
  type RegistryContentType,
} from 'prom-client'

// It exports them, and its types do not say so.
declare module 'prom-client' {
  export const aggregators: { sum(metrics: MetricObject[]): MetricObject }
}

export { Counter, Gauge, Histogram, Registry }

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
  ofPromClient({ register: registry, prefix })
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

/** What each thread has for itself: its event loop, its heap and its garbage collector. */
const ofThread = /^nodejs_(eventloop|heap|gc)_/

/** The subset of these metrics that each thread has for itself. */
export function collectThreadMetrics(registry: Registry, prefix: string): void {
  ofPromClient({ register: registry, prefix })
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith(prefix) && !ofThread.test(name.slice(prefix.length)))
      registry.removeSingleMetric(name)
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
