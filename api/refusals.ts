import type { Counter } from 'prom-client'
import type { Metrics } from '../src/platform/telemetry/metrics.ts'

const reasons = [
  'connections',
  'connections_of_network',
  'content_encoding',
  'too_large',
  'bodies',
  'bodies_of_caller',
  'invented_credential',
  'refused_credential',
]

/** Counts connections and requests that are refused before work is done for them. */
export function createRefusals(metrics: Metrics): Counter {
  const refusals = metrics.counter(
    'http_refused_total',
    'Connections and requests refused before work was done for them',
    ['reason'],
  )
  for (const reason of reasons) refusals.inc({ reason }, 0)
  return refusals
}
