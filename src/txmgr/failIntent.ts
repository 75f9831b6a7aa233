import type { Tx } from '../platform/database/db.ts'
import type { Intent, PurposesContext } from './intents.ts'
import { transition } from './transition.ts'

/**
 * Fails an intent without live attempts. Workers keep reconciling while an attempt that was sent and given up
 * may still be mined.
 */
export async function failIntent(
  ctx: PurposesContext,
  tx: Tx,
  row: Intent,
  reason: string,
  message: string,
): Promise<void> {
  const attempts = await tx.query<{ txId: string }>(
    'select tx_id as "txId" from intent_attempts where intent_id = $1 and sends > 0',
    [row.id],
  )
  const sent = attempts.map(({ txId }) => txId)
  await transition(ctx, tx, row, { kind: 'failed', reason, message, sent })
}
