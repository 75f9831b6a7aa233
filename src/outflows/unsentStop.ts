import type { Tx } from '../platform/database/db.ts'
import { coinPriceSettings, coinPrices } from '../pricing/coinPrices.ts'
import type { Intent, IntentStop, StopContext } from '../txmgr/intents.ts'
import { readOutflows } from './outflow.ts'
import { intentStop, signedStop } from './outflowGate.ts'
import { screeningSettings } from './screening/screeningSettings.ts'

/** The gate of outflows, read again for an intent of which nothing was sent. */
export async function unsentStop(
  { settings }: StopContext,
  tx: Tx,
  { id, status }: Intent,
): Promise<IntentStop | null> {
  // Locked for the change of what counts against a limit.
  const [outflow] = await readOutflows(tx, 'intent_id = $1 for no key update', [id])
  if (!outflow) return null
  const screening = settings(screeningSettings).SCREENING_SECRET ?? null
  const coinUsd = coinPrices(settings(coinPriceSettings).SWEEP_COIN_USD)
  const stop = await (status === 'created' ? intentStop : signedStop)({ screening, coinUsd }, tx, outflow)
  return stop && { reason: stop.reason, ends: stop.ends !== false }
}
