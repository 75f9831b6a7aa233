import type { Tx } from '../platform/db.ts'
import { enqueue } from '../platform/outbox.ts'

/**
 * Asks for the expiry of every pending session whose time is over by the chain's own clock: the time of the
 * newest confirmed block. So no session expires while a block that may pay it is unread or unconfirmed.
 */
export async function askExpiries(tx: Tx, chain: string, confirmedTime: Date): Promise<void> {
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
