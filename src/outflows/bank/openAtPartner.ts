import { divide } from '../../money/amount.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { inMillionths } from '../../pricing/dollars.ts'
import type { Outflow } from '../outflow.ts'

/**
 * The partner takes a fee and buys the local currency at a price of its own: both are known only when it is
 * paid.
 */
const headroomPercent = 2n

/**
 * The maximum that a bank payout costs at the partner, in millionths of a US dollar: tokens count as dollars.
 */
export const maxCostOf = (outflow: Pick<Outflow, 'chain' | 'token' | 'amount'>): bigint =>
  divide(inMillionths(outflow, 'up') * (100n + headroomPercent), 100n, 'up')

export interface OpenAtPartner {
  payouts: number
  unknown: number
  /** The maximum that they cost, in millionths of a US dollar. */
  maxCost: bigint
}

/**
 * Bank payouts that the partner may know and has not ended. @param since also those that were completed from
 * then on
 */
export async function openAtPartner(
  db: Queryable,
  partner: string,
  since: Date | null = null,
): Promise<OpenAtPartner> {
  const rows = await db.query<{
    chain: string
    token: string
    amount: string
    payouts: number
    unknown: number
  }>(
    `select chain, token, sum(amount)::text as amount, count(*)::int as payouts, (count(*) filter (where status = 'unknown'))::int as unknown
     from outflows where partner = $1 and kind <> 'top_up'
       and (status in ('processing', 'unknown') or (status = 'completed' and completed_at >= $2 and paid_elsewhere is null)) group by 1, 2`,
    [partner, since],
  )
  return rows.reduce<OpenAtPartner>(
    (sum, row) => ({
      payouts: sum.payouts + row.payouts,
      unknown: sum.unknown + row.unknown,
      maxCost: sum.maxCost + maxCostOf({ ...row, amount: BigInt(row.amount) }),
    }),
    { payouts: 0, unknown: 0, maxCost: 0n },
  )
}
