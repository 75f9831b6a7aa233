import type { Tx } from '../platform/db.ts'
import { type Intent, notifyChange, type OnChange, type Purpose } from './intents.ts'

/** Fails an intent without live attempts. Workers keep reconciling while an attempt that was sent and given up may still be mined. */
export async function failIntent(
  ctx: { onChange: Record<Purpose, OnChange> },
  tx: Tx,
  { id, status }: Intent,
  reason: string,
  message: string,
): Promise<void> {
  await tx.query(
    `update intents set status = 'failed', reason = $2, message = $3, reconciles = reconciles + 1, updated_at = now(),
       next_reconcile_at = case when exists (select 1 from intent_attempts where intent_id = $1 and sends > 0) then next_reconcile_at end
     where id = $1`,
    [id, reason, message.slice(0, 300)],
  )
  await notifyChange(ctx, tx, id, status)
}
