import type { ChainName, TokenSymbol } from '../../chains/registry.ts'

/**
 * Names of networks, and the tokens that Yellow Card settles there, by
 * https://docs.yellowcard.engineering/reference/crypto-channels. Others of our chains are not among them.
 */
const networks: Partial<Record<ChainName, { name: string; tokens: readonly TokenSymbol[] }>> = {
  ethereum: { name: 'ERC20', tokens: ['USDC'] },
  base: { name: 'BASE', tokens: ['USDC'] },
  polygon: { name: 'POLYGON', tokens: ['USDT'] },
  solana: { name: 'SOL', tokens: ['USDC', 'USDT'] },
  tron: { name: 'TRC20', tokens: ['USDT'] },
  stellar: { name: 'XLM', tokens: ['USDC'] },
}

/** @returns null where the partner does not settle this token */
export function cryptoNetworkOf(chain: ChainName, token: TokenSymbol): string | null {
  const network = networks[chain]
  return network?.tokens.includes(token) ? network.name : null
}
