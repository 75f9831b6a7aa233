import { readTraceparent } from '../src/platform/telemetry/scope.ts'
import { currentTraceparent, recordSpan } from '../src/platform/telemetry/tracing.ts'
import type { DetectionChange, DetectionRow } from '../src/watches/purposes.ts'
import { lasts } from './purposes.ts'

/**
 * Records the span of a detection: a part of what it pays, linked to its block. What a lasting watch sees is
 * a part of its block, linked to the request that made the watch.
 * @returns the `traceparent` for its jobs
 */
export function recordDetection(
  { id, purpose, traceparent }: DetectionRow,
  reason: DetectionChange,
): string | null {
  const attributes = {
    'cowry.detection.id': id,
    'cowry.watch.purpose': purpose,
    'cowry.detection.change': reason,
  }
  const block = currentTraceparent()
  const [parent, linked] = lasts(purpose) ? [block, traceparent] : [traceparent, block]
  return recordSpan(`detection ${reason}`, readTraceparent(parent), { attributes, links: [linked] })
}
