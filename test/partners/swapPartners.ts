import { startJupiter } from './jupiter.ts'
import type { PricedAsset, SwapStandIn } from './swapServer.ts'
import type { ZeroXMarket } from './zeroXRoute.ts'
import { startZeroX, type ZeroXStandIn } from './zerox.ts'

/** Stablecoins of a devnet, as the stand-ins of the swap providers price them: a dollar each. */
export interface SwapDevnet {
  /** Null for solana. */
  chainId: number | null
  stablecoins: readonly (string | null | undefined)[]
  decimals: number
  /** Where its swaps are traded; without one, it has prices only. */
  market?: ZeroXMarket
}

export interface SwapPartners {
  zeroX: ZeroXStandIn
  jupiter: SwapStandIn
}

export interface SwapKeys {
  zeroX: string
  jupiter: string
}

const placeholder = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const wrappedSol = 'So11111111111111111111111111111111111111112'
/** The same for every coin of an EVM chain. */
const coin: PricedAsset = { decimals: 18, cents: 300_000n }
const sol: PricedAsset = { decimals: 9, cents: 15_000n }

/** Starts the stand-ins of both providers. They trade coins and the devnets' stablecoins. */
export async function startSwapPartners(
  keys: SwapKeys,
  devnets: readonly SwapDevnet[],
  ports: { zeroX: number; jupiter: number } = { zeroX: 0, jupiter: 0 },
): Promise<SwapPartners> {
  const devnetOf = (chainId: string | null) =>
    devnets.find((each) => (each.chainId === null ? null : String(each.chainId)) === chainId)
  const assetOf = (chainId: string | null, token: string): PricedAsset | null => {
    const devnet = devnetOf(chainId)
    const normal = (text: string) => (chainId === null ? text : text.toLowerCase())
    const isKnown = devnet?.stablecoins.some((each) => each && normal(each) === token)
    return devnet && isKnown ? { decimals: devnet.decimals, cents: 100n } : null
  }
  const [zeroX, jupiter] = await Promise.all([
    startZeroX({
      apiKey: keys.zeroX,
      port: ports.zeroX,
      marketOf: (chainId) => devnetOf(chainId)?.market ?? null,
      assetOf: (chainId, token) => (token === placeholder ? coin : assetOf(chainId, token)),
    }),
    startJupiter({
      apiKey: keys.jupiter,
      port: ports.jupiter,
      assetOf: (mint) => (mint === wrappedSol ? sol : assetOf(null, mint)),
    }),
  ])
  return { zeroX, jupiter }
}
