import { formatUnits } from '../money/amount.ts'
import type { Db } from '../platform/database/db.ts'
import type { AssetsContext } from '../statements/assets.ts'
import { listBalances } from '../statements/listBalances.ts'
import { ownUnits } from '../statements/worth.ts'
import type { Valuation } from './valuation.ts'

export interface BalanceTotals {
  /** In the currency. */
  total: string
  available: string
  pending: string
  /** What has no price, in whole tokens. */
  unpriced: { chain: string | null; token: string; amount: string }[]
}

/** A business's balances in one currency. */
export async function balanceTotals(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  valuation: Valuation,
): Promise<BalanceTotals> {
  const sums = { total: 0n, available: 0n, pending: 0n }
  const unpriced: BalanceTotals['unpriced'] = []
  for (const balance of (await listBalances(ctx, businessId, {})).balances) {
    const { chain, symbol: token, decimals } = balance
    const { total, available, pending } = ownUnits(balance)
    const worth = (amount: bigint) => valuation.worthOf({ chain, token }, amount, decimals)
    const worthTotal = worth(total)
    if (worthTotal === null) {
      if (total !== 0n) unpriced.push({ chain, token, amount: formatUnits(total, decimals) })
      continue
    }
    sums.total += worthTotal
    sums.available += worth(available) ?? 0n
    sums.pending += worth(pending) ?? 0n
  }
  return {
    total: valuation.show(sums.total),
    available: valuation.show(sums.available),
    pending: valuation.show(sums.pending),
    unpriced,
  }
}
