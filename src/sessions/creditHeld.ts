import type { Db } from '../platform/db.ts'
import { enqueue } from '../platform/outbox.ts'

/** Sessions at a time; the next minute takes the next ones. */
const maxAtOnce = 500

/** Gives businesses what was held of overpaid sessions for the whole period. A worker settles each session then, which moves the money. */
export async function creditHeld(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    const rows = await tx.query<{ id: string }>(
      `update pos_sessions set amount_credited = greatest(amount_credited, amount_settled), held_until = null
       where id in (select id from pos_sessions where held_until <= now() order by held_until limit $1 for update skip locked) returning id`,
      [maxAtOnce],
    )
    await enqueue(
      tx,
      'session-payment',
      rows.map(({ id }) => ({ sessionId: id, reason: 'excess' as const })),
    )
  })
}
