import type { Tx } from '../platform/db.ts'
import type { Intent, IntentStop } from '../txmgr/intents.ts'
import { readOutflows } from './outflow.ts'
import { intentStop } from './outflowGate.ts'

/** The gate of outflows, read again for an intent of which nothing was sent. */
export async function payoutStop(tx: Tx, { id }: Intent): Promise<IntentStop | null> {
  const [outflow] = await readOutflows(tx, 'intent_id = $1 for share', [id])
  const stop = outflow ? await intentStop(tx, outflow) : null
  return stop && { reason: stop.reason, ends: stop.ends !== false }
}
