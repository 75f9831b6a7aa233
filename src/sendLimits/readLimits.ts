import type { Queryable, Tx } from '../platform/db.ts'
import { type SendLimits, unlimited } from './limits.ts'

/** The subject of limits: a stored wallet; or a key, by the root that its rotations share. */
export interface Subject {
  kind: 'wallet' | 'key'
  id: string
}

export async function readLimits(db: Queryable, { kind, id }: Subject): Promise<SendLimits> {
  const [row] = await db.query<SendLimits>('select amounts, destinations from send_limits where subject = $1 and subject_id = $2', [kind, id])
  return row ?? unlimited
}

/** Serializes transfers and changes of limits of a subject. Lock wallets before keys. */
export async function lockLimits(tx: Tx, { kind, id }: Subject): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`send limits of ${kind} ${id}`])
}
