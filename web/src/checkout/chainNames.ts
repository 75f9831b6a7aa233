import type { Checkout } from './types.ts'

/** As wallets and exchanges call the networks. */
export const chainNames: Record<Checkout['chain'], string> = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  base: 'Base',
  arbitrum: 'Arbitrum One',
  optimism: 'OP Mainnet',
  solana: 'Solana',
  tron: 'Tron (TRC-20)',
  stellar: 'Stellar',
}
