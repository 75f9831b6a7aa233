import type { Secret } from '../platform/secrets.ts'
import type { Family } from './chain.ts'

export const chainNames = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism', 'solana', 'tron', 'stellar'] as const
export type ChainName = (typeof chainNames)[number]

export const tokenSymbols = ['USDC', 'USDT'] as const
export type TokenSymbol = (typeof tokenSymbols)[number]

export interface Token {
  symbol: TokenSymbol
  /** Normal form of the family. */
  contract: string
  decimals: number
}

/** Anything that Cowry knows by name on a chain. `contract` is null for the native coin. */
export interface Asset {
  symbol: string
  contract: string | null
  decimals: number
}

export interface Chain {
  name: ChainName
  family: Family
  /**
   * What a node says its network is, so that one of another network is not taken for it: the EIP-155 id; the hash of Solana's genesis;
   * the id of Tron's first block; Stellar's network passphrase.
   */
  network: string
  native: { symbol: string; decimals: number }
  /** What is accepted as payment. */
  tokens: readonly Token[]
  /** Bridged tokens that people take for these: seen and reported as `wrong_token`, never accepted. */
  lookalikes: readonly (Asset & { contract: string })[]
  /** A transfer is confirmed when its block is this deep, the block itself counted. */
  confirmations: number
  /** Confirmed means that the chain calls the block finalized; `confirmations` count where no provider tells. */
  byFinalizedTag: boolean
  /** Stands for "finalized" where no provider tells what is; on a chain with `saysFinalized` only shown. */
  finalizedDepth: number
  /** Every node of the chain tells what is finalized: no depth ever stands for it. */
  saysFinalized: boolean
  /** Usual time between two blocks, in milliseconds. */
  blockMs: number
  /** A fork that goes deeper than this many blocks stops the indexer: only a person can say what is true then. */
  reorgLimit: number
  /** The system contract whose `LogTransfer` tells every movement of the native coin (Polygon alone has one). */
  nativeLog: string | null
  /** The most that the treasury ever pays for one transaction, in base units of the native coin: a guard, not an estimate. */
  maxFee: bigint
  /** Some of the chain's own transactions have receipts that are not encoded as Ethereum's: Polygon's state sync, deposits of OP chains. */
  ownReceipts: boolean
}

/** A registry entry: a token may lack a contract, and is offered only where configuration names one. */
export interface Entry extends Omit<Chain, 'tokens'> {
  tokens: readonly (Omit<Token, 'contract'> & { contract: string | null })[]
}

/**
 * Chains that this version can read. Token addresses are those that Circle and Tether publish for mainnet; on BSC they
 * are Binance's pegged tokens, which have 18 decimals. Block times are those of the chains' documentation.
 */
export const registry: readonly Entry[] = [
  {
    name: 'ethereum',
    family: 'evm',
    network: '1',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
      { symbol: 'USDT', contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 },
    ],
    lookalikes: [],
    confirmations: 12,
    byFinalizedTag: false,
    finalizedDepth: 96,
    saysFinalized: false,
    blockMs: 12_000,
    reorgLimit: 128,
    nativeLog: null,
    maxFee: 5n * 10n ** 16n,
    ownReceipts: false,
  },
  {
    name: 'polygon',
    family: 'evm',
    network: '137',
    native: { symbol: 'POL', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', decimals: 6 },
      { symbol: 'USDT', contract: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', decimals: 6 },
    ],
    lookalikes: [{ symbol: 'USDC.e', contract: '0x2791bca1f2de4661ed88a30c99a7a9449aa84174', decimals: 6 }],
    confirmations: 100,
    byFinalizedTag: true,
    finalizedDepth: 100,
    saysFinalized: false,
    blockMs: 2000,
    // Forks of more than 150 blocks happened (February 2023).
    reorgLimit: 512,
    nativeLog: '0x0000000000000000000000000000000000001010',
    maxFee: 10n * 10n ** 18n,
    ownReceipts: true,
  },
  {
    name: 'bsc',
    family: 'evm',
    network: '56',
    native: { symbol: 'BNB', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', decimals: 18 },
      { symbol: 'USDT', contract: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 },
    ],
    lookalikes: [],
    confirmations: 15,
    byFinalizedTag: false,
    finalizedDepth: 15,
    saysFinalized: false,
    blockMs: 750,
    reorgLimit: 256,
    nativeLog: null,
    maxFee: 5n * 10n ** 16n,
    ownReceipts: false,
  },
  {
    name: 'base',
    family: 'evm',
    network: '8453',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', decimals: 6 },
      // Tether issues none here.
      { symbol: 'USDT', contract: null, decimals: 6 },
    ],
    lookalikes: [],
    confirmations: 12,
    byFinalizedTag: false,
    finalizedDepth: 900,
    saysFinalized: false,
    blockMs: 2000,
    reorgLimit: 512,
    nativeLog: null,
    maxFee: 10n ** 16n,
    ownReceipts: true,
  },
  {
    name: 'arbitrum',
    family: 'evm',
    network: '42161',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6 },
      { symbol: 'USDT', contract: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', decimals: 6 },
    ],
    lookalikes: [{ symbol: 'USDC.e', contract: '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8', decimals: 6 }],
    confirmations: 30,
    byFinalizedTag: false,
    finalizedDepth: 7200,
    saysFinalized: false,
    blockMs: 250,
    reorgLimit: 1024,
    nativeLog: null,
    maxFee: 10n ** 16n,
    ownReceipts: false,
  },
  {
    name: 'optimism',
    family: 'evm',
    network: '10',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0x0b2c639c533813f4aa9d7837caf62653d097ff85', decimals: 6 },
      { symbol: 'USDT', contract: '0x01bff41798a0bcf287b996046ca68b395dbc1071', decimals: 6 },
    ],
    lookalikes: [
      { symbol: 'USDC.e', contract: '0x7f5c764cbc14f9669b88837ca1490cca17c31607', decimals: 6 },
      { symbol: 'USDT.e', contract: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', decimals: 6 },
    ],
    confirmations: 30,
    byFinalizedTag: false,
    finalizedDepth: 900,
    saysFinalized: false,
    blockMs: 2000,
    reorgLimit: 512,
    nativeLog: null,
    maxFee: 10n ** 16n,
    ownReceipts: true,
  },
  {
    name: 'solana',
    family: 'solana',
    network: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    native: { symbol: 'SOL', decimals: 9 },
    tokens: [
      { symbol: 'USDC', contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
      { symbol: 'USDT', contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
    ],
    lookalikes: [],
    // A slot is finalized when 31 blocks were built on it (Solana docs, "Commitment").
    confirmations: 32,
    byFinalizedTag: true,
    finalizedDepth: 32,
    saysFinalized: true,
    blockMs: 400,
    reorgLimit: 512,
    nativeLog: null,
    maxFee: 50_000_000n,
    ownReceipts: false,
  },
  {
    name: 'tron',
    family: 'tron',
    network: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
    native: { symbol: 'TRX', decimals: 6 },
    tokens: [
      // Circle ended its support in February 2025.
      { symbol: 'USDC', contract: null, decimals: 6 },
      { symbol: 'USDT', contract: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', decimals: 6 },
    ],
    lookalikes: [],
    // A block is solidified when 19 of the 27 super representatives have built on it.
    confirmations: 19,
    byFinalizedTag: true,
    finalizedDepth: 19,
    saysFinalized: true,
    blockMs: 3000,
    reorgLimit: 128,
    nativeLog: null,
    maxFee: 200_000_000n,
    ownReceipts: false,
  },
  {
    name: 'stellar',
    family: 'stellar',
    network: 'Public Global Stellar Network ; September 2015',
    native: { symbol: 'XLM', decimals: 7 },
    tokens: [
      { symbol: 'USDC', contract: 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', decimals: 7 },
      // Tether's own there is USDT0.
      { symbol: 'USDT', contract: 'USDT0:GATISXX6BZ6NC7IKQBY37CJD4SOZL3CYZJWXEDG6JVIY4WBS6KXJHN6Q', decimals: 7 },
    ],
    lookalikes: [],
    // A closed ledger never changes.
    confirmations: 1,
    byFinalizedTag: false,
    finalizedDepth: 1,
    saysFinalized: true,
    blockMs: 5500,
    // What one provider alone told may be invented.
    reorgLimit: 128,
    nativeLog: null,
    maxFee: 10_000_000n,
    ownReceipts: false,
  },
]

/** What the operator lets businesses choose about finality. Amounts are whole tokens, as decimal strings. */
export interface FinalityBounds {
  /** Fewest confirmations that a business may ask for. */
  minConfirmations: number
  /** Amounts above this are never accepted before the chain's own rule. */
  earlyUpTo: string
  /** From this amount on every transfer waits for a finalized block; null: the business decides. */
  largeFrom: string | null
}

/** How internal transfers of the native coin are looked for: `auto` takes the best that a provider offers. */
export const internalModes = ['auto', 'balances', 'off'] as const
export type InternalMode = (typeof internalModes)[number]

/** A chain that this deployment reads: its registry entry after configuration, and where its nodes are. */
export interface ConfiguredChain extends Chain {
  rpcUrls: readonly string[]
  wsUrls: readonly string[]
  /** First height to read when there is no cursor; undefined: the head. */
  startBlock: number | undefined
  /** The operator's word that depth stands for "finalized", whatever the nodes tell. */
  finalizedByDepth: boolean
  /** The nodes are the operator's own: on EVM receipts are held to the block's bloom, not to its receipts root; on Stellar results are not hashed. */
  trusted: boolean
  finality: FinalityBounds
  internalTransfers: InternalMode
  /** Stellar's second API, which also has what its RPC nodes no longer keep. */
  horizonUrls: readonly string[]
  /** Sent to every node of Tron as `TRON-PRO-API-KEY`. */
  apiKey: Secret | null
}

/** What is known of a chain that was configured once and is no more: sessions on it are still shown. */
export function knownChain(name: string): Chain | undefined {
  const known = registry.find((chain) => chain.name === name)
  return known && { ...known, tokens: known.tokens.map((token) => ({ ...token, contract: token.contract ?? '' })) }
}

export const tokenOf = (chain: Pick<Chain, 'tokens'>, symbol: string): Token | undefined => chain.tokens.find((token) => token.symbol === symbol)

/** Everything that is known by name on a chain: what is accepted, what is mistaken for it, and the native coin. */
export const assetsOf = (chain: Chain): Asset[] => [...chain.tokens, ...chain.lookalikes, { ...chain.native, contract: null }]

/** The time without a new block after which a chain counts as stale, in milliseconds: 30 blocks, but 30 s at least and 5 min at most. */
export const staleAfterMs = (chain: Pick<Chain, 'blockMs'>): number => Math.min(Math.max(30 * chain.blockMs, 30_000), 300_000)
