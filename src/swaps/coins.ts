import type { ChainName } from '../chains/registry.ts'

/** 0x's address of the native coin, in normal form. */
export const coinPlaceholder = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Wrapped SOL (Solana's native mint), which Jupiter and its users take for SOL itself. */
export const wrappedSol = 'So11111111111111111111111111111111111111112'

export interface Coin {
  /** The coin as the chain's provider writes it. */
  provider: string
  /** The token that wraps it, one for one; null where it means the coin itself. */
  wrapped: string | null
  /** The coin's own contract, where it has one: another name of the coin. */
  contract?: string
}

const evm = (wrapped: string): Coin => ({ provider: coinPlaceholder, wrapped })
const opStackWeth = '0x4200000000000000000000000000000000000006'

/** Chains whose tokens can be swapped. The wrapped coins are those of the chains' own documentation. */
export const coins: { readonly [C in ChainName]?: Coin } = {
  ethereum: evm('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'),
  // Polygon's documentation, "MRC20": the coin at an address of its own.
  polygon: {
    ...evm('0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'),
    contract: '0x0000000000000000000000000000000000001010',
  },
  bsc: evm('0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c'),
  base: evm(opStackWeth),
  arbitrum: evm('0x82af49447d8a07e3bd95bd0f56f35241523fbab1'),
  optimism: evm(opStackWeth),
  solana: { provider: wrappedSol, wrapped: null },
}
