import { knownChain, tokenSymbols } from '../chains/registry.ts'
import { parseUnits } from '../money/amount.ts'
import type { Ratio } from '../money/ratio.ts'
import type { BalanceView } from './listBalances.ts'

/**
 * US dollars for one unit of an asset: a stablecoin is one, and a coin is what the operator has named.
 * @returns null for an asset without a price
 */
export function dollarPrice(
  coinUsd: ReadonlyMap<string, Ratio>,
  { chain, symbol }: { chain: string | null; symbol: string },
): Ratio | null {
  if (chain === null || tokenSymbols.some((each) => each === symbol))
    return { numerator: 1n, denominator: 1n }
  return knownChain(chain)?.native.symbol === symbol ? (coinUsd.get(symbol) ?? null) : null
}

/**
 * Base units that a business has of an asset. `total` is what is available, pending, held and staked, less
 * what is owed. Prepaid credit for verifications is spent already.
 */
export function ownUnits({
  decimals,
  ...balance
}: BalanceView): Record<'total' | 'available' | 'pending', bigint> {
  const units = (text: string) => unitsOf(text, decimals)
  const available = units(balance.available)
  const pending = units(balance.pending)
  const held = units(balance.payoutsHeld) + units(balance.stakes)
  return { total: available + pending + held - units(balance.receivable), available, pending }
}

function unitsOf(text: string, decimals: number): bigint {
  const units = parseUnits(text.replace(/^-/, ''), decimals)
  if (units === null) throw new Error(`not an amount: ${text}`)
  return text.startsWith('-') ? -units : units
}
