import type { Db } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'

/** Sessions at a time; the next minute takes the next ones. */
const maxAtOnce = 500

/**
 * Gives businesses what was held of overpaid sessions for the whole period. A worker settles each session
 * then, which moves the money.
 */
export async function creditHeld(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    const rows = await tx.query<{ id: string }>(
      'select id from pos_sessions where held_until <= now() order by held_until limit $1 for update skip locked',
      [maxAtOnce],
    )
    // After the locks: a refund takes the lock of its session, too.
    await tx.query(
      `update pos_sessions s set held_until = null, amount_credited = greatest(amount_credited, amount_settled - (
         select coalesce(sum(o.amount), 0) from outflows o where o.session_id = s.id and o.kind = 'refund' and o.chain = s.chain and o.token = s.token
           and o.status not in ('failed', 'cancelled')))
       where id = any($1::uuid[])`,
      [rows.map(({ id }) => id)],
    )
    await enqueue(
      tx,
      'session-payment',
      rows.map(({ id }) => ({ sessionId: id, reason: 'excess' as const })),
    )
  })
}
