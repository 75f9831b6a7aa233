import type { Queryable, Tx } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'

/**
 * Requests the expiry of pending sessions that ended by the chain's clock: the time of the newest confirmed
 * block. So no session expires while a block that may pay it is unread or unconfirmed.
 */
export async function requestExpiries(tx: Tx, chain: string, confirmedTime: Date): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    `update pos_sessions set expiry_asked_at = now()
     where chain = $1 and status = 'pending' and expiry_asked_at is null and expires_at < $2 returning id`,
    [chain, confirmedTime],
  )
  await enqueue(
    tx,
    'session-payment',
    rows.map(({ id }) => ({ sessionId: id, reason: 'expiry' as const })),
  )
}

/** True if a session waits for the chain to confirm that its time is over. */
export async function awaitsExpiry(db: Queryable, chain: string): Promise<boolean> {
  const [row] = await db.query<{ waits: boolean }>(
    `select exists (select 1 from pos_sessions where chain = $1 and status = 'pending' and expiry_asked_at is null and expires_at < now()) as waits`,
    [chain],
  )
  return row?.waits ?? false
}
