import type { Chain } from './registry.ts'

/** Pages of a block explorer; `{id}` stands for the transaction's id, or for the address. */
export interface Explorer {
  transaction: string
  address: string
}

const scan = (host: string): Explorer => ({
  transaction: `https://${host}/tx/{id}`,
  address: `https://${host}/address/{id}`,
})

const stellar = (network: string): Explorer => ({
  transaction: `https://stellar.expert/explorer/${network}/tx/{id}`,
  address: `https://stellar.expert/explorer/${network}/account/{id}`,
})

/** By the identity that a network's nodes report: a chain of a test network has another one, or none. */
const explorers: Readonly<Record<string, Explorer>> = {
  '1': scan('etherscan.io'),
  '11155111': scan('sepolia.etherscan.io'),
  '137': scan('polygonscan.com'),
  '80002': scan('amoy.polygonscan.com'),
  '56': scan('bscscan.com'),
  '97': scan('testnet.bscscan.com'),
  '8453': scan('basescan.org'),
  '84532': scan('sepolia.basescan.org'),
  '42161': scan('arbiscan.io'),
  '421614': scan('sepolia.arbiscan.io'),
  '10': scan('optimistic.etherscan.io'),
  '11155420': scan('sepolia-optimism.etherscan.io'),
  // Solana's mainnet and devnet.
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': {
    transaction: 'https://solscan.io/tx/{id}',
    address: 'https://solscan.io/account/{id}',
  },
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: {
    transaction: 'https://solscan.io/tx/{id}?cluster=devnet',
    address: 'https://solscan.io/account/{id}?cluster=devnet',
  },
  // Tron's mainnet, by its first block.
  '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc': {
    transaction: 'https://tronscan.org/#/transaction/{id}',
    address: 'https://tronscan.org/#/address/{id}',
  },
  'Public Global Stellar Network ; September 2015': stellar('public'),
  'Test SDF Network ; September 2015': stellar('testnet'),
}

/** The explorer of the network that a chain is configured for; null where there is none, as on a devnet. */
export const explorerOf = ({ network }: Pick<Chain, 'network'>): Explorer | null =>
  Object.hasOwn(explorers, network) ? (explorers[network] ?? null) : null
