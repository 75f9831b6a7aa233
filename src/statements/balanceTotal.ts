import { formatUnits, parseDecimal } from '../money/amount.ts'
import { currencyDecimals } from '../money/currencyDecimals.ts'
import type { Ratio } from '../money/ratio.ts'
import type { BalanceView } from './listBalances.ts'
import { dollarPrice, ownUnits } from './worth.ts'

export interface TotalContext {
  /** Null: the deployment has no partner. */
  rates: { midOrNull(currency: string): Promise<{ rate: string; at: Date } | null> } | null
  /** US dollars for one native coin, as far as the operator has named them. */
  coinUsd: ReadonlyMap<string, Ratio>
}

export interface BalanceTotal {
  /** Rounded down to the currency's smallest unit. */
  amount: string
  currency: string
  /** Units of the currency for one US dollar, now; null where the currency is the dollar. */
  rate: string | null
  rateAt: string | null
  /** Assets without a price, which are not in it. */
  without: string[]
}

/**
 * All balances in one currency, at the rates of now: what is available, pending, held and staked, less what
 * is owed. Prepaid credit is spent already. A stablecoin is a dollar.
 * @returns null without a rate
 */
export async function balanceTotal(
  ctx: TotalContext,
  currency: string,
  balances: readonly BalanceView[],
): Promise<BalanceTotal | null> {
  const mid = currency === 'USD' ? null : await ctx.rates?.midOrNull(currency)
  const rate = parseDecimal(mid?.rate ?? (currency === 'USD' ? '1' : ''))
  if (!rate) return null
  const places = currencyDecimals(currency)
  let cents: Ratio = { numerator: 0n, denominator: 1n }
  const without: string[] = []
  for (const balance of balances) {
    const { total: units } = ownUnits(balance)
    const price = dollarPrice(ctx.coinUsd, balance)
    if (units === 0n) continue
    if (price)
      cents = plus(cents, {
        numerator: units * price.numerator * rate.value * 10n ** BigInt(places),
        denominator: price.denominator * 10n ** BigInt(balance.decimals + rate.scale),
      })
    else without.push(balance.asset)
  }
  return {
    amount: formatUnits(cents.numerator / cents.denominator, places),
    currency,
    rate: mid?.rate ?? null,
    rateAt: mid?.at.toISOString() ?? null,
    without,
  }
}

const plus = (one: Ratio, other: Ratio): Ratio => ({
  numerator: one.numerator * other.denominator + other.numerator * one.denominator,
  denominator: one.denominator * other.denominator,
})
