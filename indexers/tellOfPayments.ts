import type { Tx } from '../src/platform/db.ts'
import type { PaymentNews } from '../src/platform/jobs.ts'
import { enqueue } from '../src/platform/outbox.ts'

/** A detection, as far as whoever must hear of it is concerned. */
export interface DetectionRow {
  id: string
  /** The session that was paid. */
  subject_id: string
  /** Null: it names no deposit. */
  business_id: string | null
}

/** What a statement returns for it. */
export const detectionRow = 'id, subject_id, business_id'

/** Tells that something about payments changed: each session once, and the keeper of the suspense account of what names none. */
export async function tellOfPayments(tx: Tx, detections: readonly DetectionRow[], reason: PaymentNews): Promise<void> {
  const sessions = new Set(detections.filter(({ business_id }) => business_id !== null).map(({ subject_id }) => subject_id))
  await enqueue(
    tx,
    'session-payment',
    [...sessions].map((sessionId) => ({ sessionId, reason })),
  )
  await enqueue(
    tx,
    'suspense',
    detections.filter(({ business_id }) => business_id === null).map(({ id }) => ({ detectionId: id, reason })),
  )
}
