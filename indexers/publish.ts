import { watchHandlings } from '../src/capabilities.ts'
import type { Tx } from '../src/platform/database/db.ts'
import { publishDetections } from '../src/watches/publishDetections.ts'
import type { DetectionChange, DetectionRow } from '../src/watches/purposes.ts'
import { recordDetection } from './recordDetection.ts'

/** Enqueues the jobs of changed detections, each by the purpose of its watch. */
export const publish = (
  tx: Tx,
  detections: readonly DetectionRow[],
  reason: DetectionChange,
): Promise<void> =>
  publishDetections(
    watchHandlings,
    tx,
    detections.map((row) => ({ ...row, traceparent: recordDetection(row, reason) })),
    reason,
  )
