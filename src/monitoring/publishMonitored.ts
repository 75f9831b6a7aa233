import type { Tx } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'
import type { DetectionChange, DetectionRow } from '../watches/purposes.ts'

/** Detections in one job. */
const maxInJob = 100

/** Enqueues the detections of monitored addresses, in jobs of one business each. */
export async function publishMonitored(
  tx: Tx,
  detections: readonly DetectionRow[],
  reason: DetectionChange,
): Promise<void> {
  // Metadata of unknown tokens is read from the chain: known tokens do not wait for that.
  const groups = Map.groupBy(
    detections,
    ({ businessId, isUnknownToken }) => `${businessId} ${isUnknownToken}`,
  )
  const jobs = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first || first.businessId === null) throw new Error('a monitored address has no business')
    const about = { businessId: first.businessId, reason, unknownTokens: first.isUnknownToken }
    return chunks(group, maxInJob).map((some) => ({ ...about, detectionIds: some.map(({ id }) => id) }))
  })
  await enqueue(tx, 'monitoring', jobs)
}

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
