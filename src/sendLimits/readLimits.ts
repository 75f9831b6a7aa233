import type { Queryable, Tx } from '../platform/db.ts'
import { type SendLimits, unlimited } from './limits.ts'

/** Whom limits are for: a stored wallet; or a key, by its root, which the keys that it is rotated to share. */
export interface Subject {
  kind: 'wallet' | 'key'
  id: string
}

export async function readLimits(db: Queryable, { kind, id }: Subject): Promise<SendLimits> {
  const [row] = await db.query<SendLimits>('select amounts, destinations from send_limits where subject = $1 and subject_id = $2', [kind, id])
  return row ?? unlimited
}

/** Lets one transfer, or one change of limits, of a subject go on at a time. Wallets are locked before keys. */
export async function lockLimits(tx: Tx, { kind, id }: Subject): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`send limits of ${kind} ${id}`])
}
