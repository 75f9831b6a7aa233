import { formatUnits, parseDecimal, rescale } from '../money/amount.ts'
import type { Ratio } from '../money/ratio.ts'
import type { CoinPrices } from '../pricing/coinPrices.ts'
import { currencyDecimals } from '../pricing/price.ts'
import type { Rates } from '../pricing/rates.ts'
import { dollarPrice } from '../statements/worth.ts'

/** A sum in a currency, in units of 10^-18, as exact as its parts. */
export type Worth = bigint

/** Decimal places of `Worth`: as many as a native coin has. */
export const places = 18

/** What assets are worth in a currency now. */
export interface Valuation {
  currency: string
  /** @returns null for an asset without a price */
  worthOf(asset: { chain: string | null; token: string }, units: bigint, decimals: number): Worth | null
  /** Rounded down to the currency's smallest unit. */
  show(worth: Worth): string
}

/** By the rate of prices and the operator's prices of coins; a stablecoin is one US dollar. */
export async function valuationIn(
  ctx: { rates: Pick<Rates, 'midOrNull'> | null; coinUsd: CoinPrices },
  currency: string,
): Promise<Valuation> {
  const rate = await dollarRate(ctx.rates, currency)
  return {
    currency,
    worthOf({ chain, token }, units, decimals) {
      const price = dollarPrice(ctx.coinUsd, { chain, symbol: token })
      if (!price || !rate) return null
      return (
        (units * price.numerator * rate.numerator * 10n ** BigInt(places)) /
        (price.denominator * rate.denominator * 10n ** BigInt(decimals))
      )
    },
    show: (worth) => showIn(currency, worth),
  }
}

function showIn(currency: string, worth: Worth): string {
  const decimals = currencyDecimals(currency)
  return formatUnits(worth / 10n ** BigInt(places - decimals), decimals)
}

/** Units of the currency for one US dollar; null where it is not known. */
async function dollarRate(rates: Pick<Rates, 'midOrNull'> | null, currency: string): Promise<Ratio | null> {
  if (currency === 'USD') return { numerator: 1n, denominator: 1n }
  const mid = await rates?.midOrNull(currency)
  const rate = mid ? parseDecimal(mid.rate) : null
  return rate && { numerator: rate.value, denominator: 10n ** BigInt(rate.scale) }
}

/** @param decimal of the currency, as the database sums it. @throws Error for any other text */
export function worthFrom(decimal: string): Worth {
  const read = parseDecimal(decimal)
  if (!read) throw new Error(`not a sum: ${decimal}`)
  return rescale(read, places, 'down')
}
