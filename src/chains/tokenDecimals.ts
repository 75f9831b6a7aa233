import { assetsOf, knownChain } from './registry.ts'

/** Decimal places of a token, of the registry. @throws Error for an unknown one */
export function tokenDecimals(chain: string, token: string): number {
  const known = knownChain(chain)
  const asset = known && assetsOf(known).find(({ symbol }) => symbol === token)
  if (!asset) throw new Error(`${token} on ${chain} is not known`)
  return asset.decimals
}
