import type { Tx } from '../platform/db.ts'
import { type OnChange, type Outgoing, type Purpose, tellChange } from './outgoing.ts'

/**
 * Fails an intent that no transaction is live for. A transaction that was sent before and given up may still come: as long as that is
 * possible, workers look for it.
 */
export async function failOutgoing(
  ctx: { onChange: Record<Purpose, OnChange> },
  tx: Tx,
  { id, status }: Outgoing,
  reason: string,
  message: string,
): Promise<void> {
  await tx.query(
    `update outgoing set status = 'failed', reason = $2, message = $3, looks = looks + 1, updated_at = now(),
       next_look_at = case when exists (select 1 from outgoing_transactions where outgoing_id = $1 and sends > 0) then next_look_at end
     where id = $1`,
    [id, reason, message.slice(0, 300)],
  )
  await tellChange(ctx, tx, id, status)
}
