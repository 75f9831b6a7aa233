import { formatUnits, parseUnits } from '../money/amount.ts'
import type { Db } from '../platform/database/db.ts'
import type { AssetsContext } from '../statements/assets.ts'
import { listBalances } from '../statements/listBalances.ts'
import type { Valuation } from './valuation.ts'

export interface BalanceTotals {
  /** In the currency. */
  total: string
  available: string
  pending: string
  /** What has no price, in whole tokens. */
  unpriced: { chain: string | null; token: string; amount: string }[]
}

/** A business's balances in one currency. Prepaid credit for verifications is not money that it can use. */
export async function balanceTotals(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  valuation: Valuation,
): Promise<BalanceTotals> {
  const sums = { total: 0n, available: 0n, pending: 0n }
  const unpriced: BalanceTotals['unpriced'] = []
  for (const balance of (await listBalances(ctx, businessId, {})).balances) {
    const { chain, symbol: token, decimals } = balance
    const units = (text: string) => unitsOf(text, decimals)
    const available = units(balance.available)
    const pending = units(balance.pending)
    const held = units(balance.payoutsHeld) + units(balance.stakes)
    const total = available + pending + held - units(balance.receivable)
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

function unitsOf(text: string, decimals: number): bigint {
  const units = parseUnits(text.replace(/^-/, ''), decimals)
  if (units === null) throw new Error(`not an amount: ${text}`)
  return text.startsWith('-') ? -units : units
}
