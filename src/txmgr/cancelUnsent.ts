import type { Tx } from '../platform/database/db.ts'
import { liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import { failIntent } from './failIntent.ts'
import type { Intent, PurposesContext } from './intents.ts'
import { cancelledReason } from './nextState.ts'
import { planAgainBehind } from './planAgainBehind.ts'
import { isRestored } from './restored.ts'

const cancelled = { reason: cancelledReason, message: 'It was cancelled before it was sent' }

/**
 * Fails an intent of which nothing was sent, because it was cancelled or its cause stops it. A send is
 * counted under the lock of its row, so it cannot leave afterwards.
 * @param row locked by the caller
 * @returns false if it may have been sent, or the database was restored: then only the operator knows
 */
export async function cancelUnsent(
  ctx: PurposesContext,
  tx: Tx,
  row: Intent,
  { reason, message } = cancelled,
): Promise<boolean> {
  if ((row.status !== 'created' && row.status !== 'signed') || (await isRestored(tx))) return false
  const live = liveAttempts(await readAttempts(tx, row.id))
  if (live.some(({ sends }) => sends > 0)) return false
  await voidAttempts(
    tx,
    row.id,
    live.map(({ number }) => number),
    reason,
  )
  await tx.query('delete from intent_nonces where intent_id = $1', [row.id])
  await failIntent(ctx, tx, row, reason, message)
  await planAgainBehind(tx, row)
  return true
}
