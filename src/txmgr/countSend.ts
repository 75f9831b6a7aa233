import type { Tx } from '../platform/database/db.ts'
import { type Attempt, readAttempts } from './attempts.ts'
import { standingBefore } from './before.ts'
import { cancelUnsent } from './cancelUnsent.ts'
import { causeStop, stoppedReason } from './causeStop.ts'
import type { TxManagerContext } from './context.ts'
import { isHeld } from './hold.ts'
import { type Intent, lockIntent } from './intents.ts'
import { isPaused } from './pause.ts'

/** The reason of an intent that was not sent because the one that it follows has failed. Stable. */
export const stepFailedReason = 'step_failed'

/**
 * Counts a send before it is made. After a pause, a suspension or a cancellation nothing is counted; what was
 * counted before it counts as sent.
 * @returns null if another process has overtaken this one, the attempt was given up, the intent was
 * cancelled, or it may not be sent now
 */
export const countSend = (
  ctx: TxManagerContext,
  row: Intent,
  { number, cancels }: Pick<Attempt, 'number' | 'cancels'>,
): Promise<{ sends: number } | null> =>
  ctx.db.tx(async (tx) => {
    // A cancellation waits until this is stored, or is seen here.
    const now = await lockIntent(tx, row.id)
    if (now?.reconciles !== row.reconciles || (now.isCancelled && !cancels)) return null
    if ((await isPaused(tx, now.chain)) || (await isHeld(ctx, tx, now)) || (await isStopped(ctx, tx, now)))
      return null
    const [counted] = await tx.query<{ sends: number }>(
      `update intent_attempts set sends = sends + 1 where intent_id = $1 and number = $2 and void_at is null and bytes is not null returning sends`,
      [row.id, number],
    )
    return counted ?? null
  })

/**
 * Ends an intent that its cause stops for good. A stop that only waits keeps no signed transaction back: its
 * nonce would keep back all that the address sends. An intent of which something was sent goes on.
 */
async function isStopped(ctx: TxManagerContext, tx: Tx, now: Intent): Promise<boolean> {
  if ((await readAttempts(tx, now.id)).some(({ sends }) => sends > 0)) return false
  const before = await standingBefore(tx, now)
  if (before === 'failed') await cancelUnsent(ctx, tx, now, stepFailed)
  if (before === 'failed' || before === 'waiting') return true
  const stop = await causeStop(ctx, tx, now)
  if (!stop?.ends) return false
  // It ends once the outcome of the one before is known.
  if (before === 'done') await cancelUnsent(ctx, tx, now, { reason: stoppedReason, message: stop.reason })
  return true
}

const stepFailed = {
  reason: stepFailedReason,
  message: 'A transaction before it has failed; it was not sent',
}
