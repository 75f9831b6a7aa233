import type { Tx } from '../platform/database/db.ts'
import type {
  DetectionChange,
  DetectionRow,
  WatchHandling,
  WatchHandlings,
  WatchPurpose,
} from './purposes.ts'

/** The columns of `DetectionRow`, for `returning`. */
export const detectionRow = `detections.id, detections.subject_id as "subjectId", detections.business_id as "businessId",
  (select w.purpose from watches w where w.id = detections.watch_id) as purpose,
  (select w.traceparent from watches w where w.id = detections.watch_id) as traceparent,
  (select w.request_id from watches w where w.id = detections.watch_id) as "requestId",
  (select t.token is null from transfers t where t.id = detections.transfer_id) as "isUnknownToken"`

/** Passes changed detections to the purposes of their watches, in the transaction of the change. */
export async function publishDetections(
  handlings: WatchHandlings,
  tx: Tx,
  detections: readonly DetectionRow[],
  reason: DetectionChange,
): Promise<void> {
  const byPurpose = Map.groupBy(detections, ({ purpose }) => purpose)
  for (const [purpose, handling] of Object.entries(handlings) as [WatchPurpose, WatchHandling][]) {
    const own = byPurpose.get(purpose)
    if (own) await handling.publish(tx, own, reason)
    byPurpose.delete(purpose)
  }
  const [unknown] = byPurpose.keys()
  if (unknown !== undefined) throw new Error(`no capability takes detections of purpose ${unknown}`)
}
