import { formatUnits } from '../chains/amount.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { dollarsOf, inDollars } from './dollars.ts'
import { lockPayoutLimits, readPayoutLimits } from './limitSettings.ts'
import type { PayoutLimit, PayoutLimits } from './payoutLimits.ts'

/** What is taken of an asset, in base units. */
export interface Taken {
  chain: string
  token: string
  amount: bigint
}

interface ExceededLimit {
  limit: 'maxPerPayout' | 'maxPerDay'
  message: string
}

/**
 * Enforces a business's limits on a payout or refund that a caller asks for. The lock lasts until the transaction ends, which must store the outflow, so
 * that concurrent ones cannot exceed a limit together.
 * @returns whether a second owner must approve it
 * @throws ApiError 403 `limit_exceeded` naming `amount`
 */
export async function requireWithinPayoutLimits(tx: Tx, businessId: string, taken: Taken): Promise<{ approval: boolean }> {
  await lockPayoutLimits(tx, businessId)
  const limits = await readPayoutLimits(tx, businessId)
  const exceeded = await exceededOf(tx, businessId, taken, limits)
  if (exceeded) throw new ApiError(403, 'limit_exceeded', `amount: ${exceeded.message}`, { fields: [{ field: 'amount', message: exceeded.message }] })
  return { approval: isAbove(inDollars(taken.chain, taken.token, taken.amount), limits.approvalAbove) }
}

/** The limit that an outflow, which does not count yet, would exceed. Locks the limits until the transaction ends. */
export async function exceededLimit(tx: Tx, businessId: string, taken: Taken): Promise<ExceededLimit | null> {
  await lockPayoutLimits(tx, businessId)
  return exceededOf(tx, businessId, taken, await readPayoutLimits(tx, businessId))
}

async function exceededOf(
  db: Queryable,
  businessId: string,
  { chain, token, amount }: Taken,
  { maxPerPayout, maxPerDay }: PayoutLimits,
): Promise<ExceededLimit | null> {
  const wanted = inDollars(chain, token, amount)
  if (isAbove(wanted, maxPerPayout)) return { limit: 'maxPerPayout', message: `at most ${maxPerPayout.value} US dollars at once (maxPerPayout)` }
  if (maxPerDay.value === null) return null
  const counted = await countedInADay(db, businessId)
  if (!isAbove(counted + wanted, maxPerDay)) return null
  const message = `at most ${maxPerDay.value} US dollars within 24 hours, and ${formatUnits(counted, 18)} of them are used (maxPerDay)`
  return { limit: 'maxPerDay', message }
}

const isAbove = (amount: bigint, { value }: PayoutLimit): boolean => value !== null && amount > dollarsOf(value)

/** What was asked for or completed in the last 24 hours, and all that is open, of any age. What failed or was cancelled does not count. */
async function countedInADay(db: Queryable, businessId: string): Promise<bigint> {
  const rows = await db.query<{ chain: string; token: string; sum: string }>(
    `select chain, token, sum(amount)::text as sum from outflows
     where business_id = $1 and counted_at is not null and status not in ('failed', 'cancelled')
       and (greatest(counted_at, completed_at) > now() - interval '24 hours' or status not in ('completed', 'failed', 'cancelled'))
     group by chain, token`,
    [businessId],
  )
  return rows.reduce((all, { chain, token, sum }) => all + inDollars(chain, token, BigInt(sum)), 0n)
}
