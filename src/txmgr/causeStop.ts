import type { Tx } from '../platform/database/db.ts'
import { type Intent, type IntentStop, purposeOf, type StopContext } from './intents.ts'

/**
 * The reason of an intent that failed unsent because its cause did not let it leave any more: its message is
 * the code of its cause. Stable.
 */
export const stoppedReason = 'stopped'

/**
 * Reads why the cause of an intent does not let it leave any more; null: it may. @param row locked by the
 * caller
 */
export const causeStop = async (ctx: StopContext, tx: Tx, row: Intent): Promise<IntentStop | null> =>
  (await purposeOf(ctx, row.purpose)?.stop?.(ctx, tx, row)) ?? null
