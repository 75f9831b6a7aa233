import type { Db } from '../platform/db.ts'
import type { Outflow } from './outflow.ts'
import { exceededLimit, type LimitsContext } from './requireWithinPayoutLimits.ts'
import type { Stop } from './stop.ts'

/** Between two looks at a limit. */
const lookMs = 60_000

/**
 * Automatic payouts wait for the limits of their business; others keep to them since they were created. One that fits counts from then on.
 */
export async function limitStop(
  { db, pollMs, coinUsd }: LimitsContext & { db: Db; pollMs: number | null },
  { id, automatic, businessId, chain, token, amount }: Outflow,
): Promise<Stop | null> {
  if (!automatic || businessId === null) return null
  const exceeded = await db.tx(async (tx) => {
    const counted = await tx.query('select 1 from outflows where id = $1 and counted_at is not null', [id])
    if (counted.length > 0) return null
    const limit = await exceededLimit({ coinUsd }, tx, businessId, { chain, token, amount })
    if (!limit) await tx.query('update outflows set counted_at = now() where id = $1', [id])
    return limit
  })
  if (!exceeded) return null
  return { reason: exceeded.limit === 'maxPerDay' ? 'daily_limit' : 'payout_limit', nextInMs: pollMs ?? lookMs, ends: false }
}
