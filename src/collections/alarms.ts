import type { Metrics } from '../platform/telemetry/metrics.ts'
import { type CollectionAlarm, collectionAlarms } from './context.ts'

/** Counts a partner's reports of collections that cannot be right, or need a person. */
export function createCollectionAlarms(metrics: Metrics): (what: CollectionAlarm) => void {
  const alarms = metrics.counter(
    'collection_alarms_total',
    'Answers about collections that cannot be right, or need a person',
    ['what'],
  )
  for (const what of collectionAlarms) alarms.inc({ what }, 0)
  return (what) => alarms.inc({ what })
}
