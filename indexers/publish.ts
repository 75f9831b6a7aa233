import { watchHandlings } from '../src/capabilities.ts'
import type { Tx } from '../src/platform/db.ts'
import { readTraceparent } from '../src/platform/scope.ts'
import { currentTraceparent, recordSpan } from '../src/platform/tracing.ts'
import { publishDetections } from '../src/watches/publishDetections.ts'
import type { DetectionChange, DetectionRow } from '../src/watches/purposes.ts'

/** Enqueues the jobs of changed detections, each by the purpose of its watch. In traces each is a part of what it pays, and linked to its block. */
export const publish = (tx: Tx, detections: readonly DetectionRow[], reason: DetectionChange): Promise<void> =>
  publishDetections(
    watchHandlings,
    tx,
    detections.map((row) => ({ ...row, traceparent: traceOf(row, reason) })),
    reason,
  )

function traceOf({ id, purpose, traceparent }: DetectionRow, reason: DetectionChange): string | null {
  const attributes = { 'cowry.detection.id': id, 'cowry.watch.purpose': purpose, 'cowry.detection.change': reason }
  return recordSpan(`detection ${reason}`, readTraceparent(traceparent), { attributes, links: [currentTraceparent()] })
}
