import type { Tx } from '../platform/database/db.ts'
import { exceededLimit, type LimitsContext } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { exceedsLimitsOfKey } from './keyLimits.ts'
import type { Outflow } from './outflow.ts'
import type { Stop } from './stop.ts'

/** Between two reads of a limit. */
const lookMs = 60_000

/**
 * Compares an outflow with the limits of its business, and of the key that requested it, as they are now. One
 * that fits counts from then on. One that does not, because it is automatic, or a limit is lower than when it
 * was requested, waits and does not count, so that it keeps no other from leaving.
 * @param outflow locked by the caller
 */
export async function limitStop(
  { pollMs, coinUsd }: LimitsContext & { pollMs: number | null },
  tx: Tx,
  outflow: Outflow,
): Promise<Stop | null> {
  if (outflow.businessId === null) return null
  const reason = await exceededReason({ coinUsd }, tx, outflow, outflow.businessId)
  await tx.query(
    'update outflows set counted_at = case when $2 then now() end where id = $1 and (counted_at is null) = $2',
    [outflow.id, reason === null],
  )
  return reason === null ? null : { reason, nextInMs: pollMs ?? lookMs, ends: false }
}

async function exceededReason(
  ctx: LimitsContext,
  tx: Tx,
  outflow: Outflow,
  businessId: string,
): Promise<string | null> {
  const exceeded = await exceededLimit(ctx, tx, businessId, outflow, outflow.id)
  if (exceeded) return exceeded.limit === 'maxPerDay' ? 'daily_limit' : 'payout_limit'
  return (await exceedsLimitsOfKey(tx, outflow)) ? 'key_limit' : null
}
