import { assetsOf, type Chain, chainNames, knownChain } from '../chains/registry.ts'
import { dollars } from '../ledger/entry.ts'
import { dollarDecimals, formatUnits } from '../money/amount.ts'
import { type ApiError, type FieldMistake, invalidParameters } from '../platform/errors.ts'

export interface AssetsContext {
  chains: readonly Chain[]
}

/** An asset of the ledger as text: `<chain>:<symbol>`, or the US dollars of a partner's account. */
export interface LedgerAsset {
  asset: string
  /** Null for US dollars. */
  chain: string | null
  token: string
  symbol: string
  decimals: number
}

/** @returns undefined for a chain or an asset that Cowry does not know */
function findAsset({ chains }: AssetsContext, asset: string): LedgerAsset | undefined {
  if (asset === dollars)
    return { asset, chain: null, token: dollars, symbol: dollars, decimals: dollarDecimals }
  const [name = '', symbol = ''] = asset.split(':')
  const chain = chains.find((each) => each.name === name) ?? knownChain(name)
  const known = chain && assetsOf(chain).find((each) => each.symbol === symbol)
  return known && { asset, chain: name, token: symbol, symbol, decimals: known.decimals }
}

/** An asset that has entries. @throws Error where the configuration no longer knows it */
export function assetIn(ctx: AssetsContext, asset: string): LedgerAsset {
  const found = findAsset(ctx, asset)
  if (!found)
    throw new Error(`${asset} is not configured, but the ledger has entries in it; configure it again`)
  return found
}

/** The same for an asset that a chain holds. @throws Error also for US dollars */
export function chainAssetIn(ctx: AssetsContext, asset: string): LedgerAsset & { chain: string } {
  const found = assetIn(ctx, asset)
  if (found.chain === null) throw new Error(`${asset} is on no chain`)
  return { ...found, chain: found.chain }
}

/**
 * The asset of a request.
 * @param invalid for a body: `invalidBody`
 * @throws ApiError 400 naming `asset`
 */
export function requireAsset(
  ctx: AssetsContext,
  asset: string,
  invalid: (error: FieldMistake) => ApiError = invalidParameters,
): LedgerAsset {
  const found = findAsset(ctx, asset)
  if (!found)
    throw invalid({
      field: 'asset',
      message: `${asset} is not an asset that Cowry knows`,
      code: 'unknown_value',
    })
  return found
}

/** A symbol of any chain. @throws ApiError 400 naming `token` */
export function requireToken({ chains }: AssetsContext, token: string): void {
  const isKnown = [...chains, ...chainNames.map(knownChain)].some(
    (chain) => chain && assetsOf(chain).some(({ symbol }) => symbol === token),
  )
  if (!isKnown)
    throw invalidParameters({
      field: 'token',
      message: `${token} is not a symbol that Cowry knows`,
      code: 'unknown_value',
    })
}

/** Base units as a decimal string in whole units. */
export const inWholeUnits = (units: string | bigint, { decimals }: Pick<LedgerAsset, 'decimals'>): string =>
  formatUnits(BigInt(units), decimals)
