import type { MetricRecord } from './promClient.ts'

interface Renamed {
  /** The name of the version before, which is served for one more version. */
  was: string
  /** From a value of today to one of then; left out: equal. */
  factor?: number
}

/** Renamed metrics, by their new names. */
export const renamedMetrics: ReadonlyMap<string, Renamed> = new Map<string, Renamed>([
  ['cowry_nodejs_all_active_handles', { was: 'cowry_nodejs_active_handles_total' }],
  ['cowry_nodejs_all_active_requests', { was: 'cowry_nodejs_active_requests_total' }],
  ['cowry_nodejs_all_active_resources', { was: 'cowry_nodejs_active_resources_total' }],
  ['cowry_provider_score_seconds', { was: 'cowry_provider_score_milliseconds', factor: 1000 }],
])

/** The records of renamed metrics once more, under their old names and in their old units. */
export function underOldNames(records: readonly MetricRecord[]): MetricRecord[] {
  return records.flatMap((record) => {
    const renamed = renamedMetrics.get(record.name)
    if (!renamed) return []
    const { was, factor = 1 } = renamed
    const values = record.values.map((each) => ({
      ...each,
      value: each.value * factor,
      ...(each.metricName && { metricName: was }),
    }))
    return [
      {
        ...record,
        name: was,
        help: `Deprecated: ${record.name} has it. The next version serves this name no more.`,
        values,
      },
    ]
  })
}
