import type { Tx } from '../src/platform/db.ts'
import type { DetectionChange } from '../src/platform/jobs.ts'
import { enqueue } from '../src/platform/outbox.ts'

/** A detection, with the fields that decide which job it goes to. */
export interface DetectionRow {
  id: string
  /** The session, or the watch. */
  subject_id: string
  /** Null: the platform's suspense account. */
  business_id: string | null
  purpose: 'session' | 'suspense' | 'monitor'
}

/** The columns of `DetectionRow`, for `returning`. */
export const detectionRow =
  'detections.id, detections.subject_id, detections.business_id, (select w.purpose from watches w where w.id = detections.watch_id) as purpose'

/** Detections in one job. */
const maxInJob = 100

/** Enqueues a job for each changed session, for each suspense payment, and for the monitored addresses of each business. */
export async function publishDetections(tx: Tx, detections: readonly DetectionRow[], reason: DetectionChange): Promise<void> {
  const of = (purposeOf: DetectionRow['purpose']) => detections.filter(({ purpose }) => purpose === purposeOf)
  const sessions = new Set(of('session').map(({ subject_id }) => subject_id))
  await enqueue(
    tx,
    'session-payment',
    [...sessions].map((sessionId) => ({ sessionId, reason })),
  )
  await enqueue(
    tx,
    'suspense',
    of('suspense').map(({ id }) => ({ detectionId: id, reason })),
  )
  await publishMonitored(tx, of('monitor'), reason)
}

async function publishMonitored(tx: Tx, detections: readonly DetectionRow[], reason: DetectionChange): Promise<void> {
  if (detections.length === 0) return
  // Metadata of unknown tokens is read from the chain: known tokens do not wait for that.
  const unknown = await tx.query<{ id: string }>(
    'select d.id from detections d join transfers t on t.id = d.transfer_id where d.id = any($1::uuid[]) and t.token is null',
    [detections.map(({ id }) => id)],
  )
  const ofUnknown = new Set(unknown.map(({ id }) => id))
  const groups = Map.groupBy(detections, ({ id, business_id }) => `${business_id} ${ofUnknown.has(id)}`)
  const jobs = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first || first.business_id === null) throw new Error('a monitored address has no business')
    const about = { businessId: first.business_id, reason, unknownTokens: ofUnknown.has(first.id) }
    return chunks(group, maxInJob).map((some) => ({ ...about, detectionIds: some.map(({ id }) => id) }))
  })
  await enqueue(tx, 'monitoring', jobs)
}

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))
