import type { Tx } from '../platform/db.ts'
import type { Outflow } from './outflow.ts'
import { exceededLimit, type LimitsContext } from './requireWithinPayoutLimits.ts'
import type { Stop } from './stop.ts'

/** Between two looks at a limit. */
const lookMs = 60_000

/**
 * Compares an outflow with the limits of its business as they are now. One that fits counts from then on. One that does not, because it is automatic, or
 * a limit is lower than when it was asked for, waits and does not count, so that it keeps no other from leaving.
 * @param outflow locked by the caller
 */
export async function limitStop(
  { pollMs, coinUsd }: LimitsContext & { pollMs: number | null },
  tx: Tx,
  { id, businessId, chain, token, amount }: Outflow,
): Promise<Stop | null> {
  if (businessId === null) return null
  const exceeded = await exceededLimit({ coinUsd }, tx, businessId, { chain, token, amount }, id)
  await tx.query('update outflows set counted_at = case when $2 then now() end where id = $1 and (counted_at is null) = $2', [id, !exceeded])
  if (!exceeded) return null
  return { reason: exceeded.limit === 'maxPerDay' ? 'daily_limit' : 'payout_limit', nextInMs: pollMs ?? lookMs, ends: false }
}
