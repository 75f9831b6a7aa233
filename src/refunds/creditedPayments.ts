import type { Queryable } from '../platform/database/db.ts'
import { type PaymentRecord, readPayments } from '../sessions/readPayments.ts'

/**
 * The payments of a session that the books have credited. One that a fork has taken away, or changed, counts
 * when the session was settled again.
 */
export const creditedPayments = async (db: Queryable, sessionId: string): Promise<PaymentRecord[]> =>
  (await readPayments(db, [sessionId])).filter(
    ({ status, last, generation }) =>
      status === 'confirmed' && last?.posted === 'available' && last.generation === generation,
  )
