import { parseUnits } from '../money/amount.ts'
import { type Asset, type ConfiguredChain, tokenOf } from './registry.ts'

/** A business's choice for one chain. Amounts are whole tokens, as decimal strings. */
export interface FinalityChoice {
  /** Amounts up to `upTo` are accepted after this many confirmations. */
  early?: { upTo: string; confirmations: number }
  /** Amounts from here on wait until the chain calls their block finalized. */
  largeFrom?: string
}

/** Choices by chain; other chains keep their own rule. */
export type FinalityPolicy = Partial<Record<string, FinalityChoice>>

/** The required depth of a block, itself counted; null: the chain must call it finalized. */
export type RequiredDepth = number | null

export const ownRule = (chain: Pick<ConfiguredChain, 'confirmations' | 'byFinalizedTag'>): RequiredDepth =>
  chain.byFinalizedTag ? null : chain.confirmations

type FinalityChain = Pick<
  ConfiguredChain,
  'name' | 'tokens' | 'confirmations' | 'byFinalizedTag' | 'finality'
>

/**
 * The finality that a transfer needs before it is credited. Small amounts may count earlier and large ones
 * later than the chain's own rule: the business chooses within the operator's current bounds. Only for
 * accepted tokens: the bounds are in money, and one USDC or USDT is close enough to one.
 * @param amount base units of `asset`
 */
export function requiredDepth(
  chain: FinalityChain,
  policy: FinalityPolicy | null,
  asset: Pick<Asset, 'symbol' | 'decimals'>,
  amount: bigint,
): RequiredDepth {
  const own = ownRule(chain)
  if (!tokenOf(chain, asset.symbol)) return own
  const choice = policy?.[chain.name]
  const { minConfirmations, earlyUpTo, largeFrom } = chain.finality
  const reaches = (from: string | null | undefined) => from != null && amount >= units(from, asset.decimals)
  if (reaches(largeFrom) || reaches(choice?.largeFrom)) return null
  const early = choice?.early
  if (!early || amount > units(early.upTo, asset.decimals) || amount > units(earlyUpTo, asset.decimals))
    return own
  const depth = Math.max(early.confirmations, minConfirmations)
  return own === null ? depth : Math.min(own, depth)
}

function units(amount: string, decimals: number): bigint {
  const value = parseUnits(amount, decimals)
  if (value === null) throw new Error(`not an amount with ${decimals} decimals: ${amount}`)
  return value
}
