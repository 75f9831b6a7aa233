import type { Secret } from '../platform/secrets.ts'
import type { Family } from './chain.ts'

export const chainNames = [
  'ethereum',
  'polygon',
  'bsc',
  'base',
  'arbitrum',
  'optimism',
  'solana',
  'tron',
  'stellar',
] as const
export type ChainName = (typeof chainNames)[number]

export const tokenSymbols = ['USDC', 'USDT'] as const
export type TokenSymbol = (typeof tokenSymbols)[number]

export interface Token {
  symbol: TokenSymbol
  /** Normal form of the family. */
  contract: string
  decimals: number
  /** EIP-3009: the token moves by its holder's signature. The name and version of its EIP-712 domain. */
  authorized?: { name: string; version: string }
}

/** An asset that Cowry knows by name on a chain. `contract` is null for the native coin. */
export interface Asset {
  symbol: string
  contract: string | null
  decimals: number
}

export interface Chain {
  name: ChainName
  family: Family
  /**
   * The identity that a node reports, to detect nodes of other networks: the EIP-155 id; the hash of Solana's
   * genesis; the id of Tron's first block; Stellar's network passphrase.
   */
  network: string
  native: { symbol: string; decimals: number }
  /** Accepted as payment. */
  tokens: readonly Token[]
  /**
   * Bridged tokens that people confuse with these: detected and reported as `wrong_token`, never accepted.
   */
  lookalikes: readonly (Asset & { contract: string })[]
  /**
   * Depth at which a transfer is confirmed, its block counted. Unused while `byFinalizedTag` holds and a
   * provider reports finality.
   */
  confirmations: number
  /**
   * Confirmed means that the chain calls the block finalized; `confirmations` apply if no provider reports
   * that.
   */
  byFinalizedTag: boolean
  /** Replaces "finalized" if no provider reports it; on a chain with `saysFinalized` only shown. */
  finalizedDepth: number
  /** Every node of the chain reports finalized blocks: depth never replaces it. */
  saysFinalized: boolean
  /** Usual time between two blocks, in milliseconds. */
  blockMs: number
  /** A reorg deeper than this many blocks stops the indexer: only a person can decide then. */
  reorgLimit: number
  /** The system contract whose `LogTransfer` logs every native movement (only Polygon has one). */
  nativeLog: string | null
  /**
   * The maximum that the treasury pays for one transaction, in base units of the native coin: a guard, not an
   * estimate.
   */
  maxFee: bigint
  /**
   * A stored wallet with less is announced: a few transfers of tokens at high fees, in base units of the
   * native coin.
   */
  lowBalance: bigint
  /**
   * Some of the chain's own transactions have receipts with another encoding than Ethereum's: Polygon's state
   * sync, deposits of OP chains.
   */
  ownReceipts: boolean
  /** Circle's bridge of USDC (CCTP v2); absent on a chain without it. */
  cctp?: Cctp
  /**
   * OP chains: unix time of the Canyon fork, since which receipts of deposits have fields of their own under
   * the receipts root.
   */
  canyonTime?: number
  /** OP chains: unix time of the Jovian fork, which changed the formula of the operator fee. */
  jovianTime?: number
}

/** Where a chain burns and mints USDC for other chains. */
export interface Cctp {
  /** Circle's number of the chain. */
  domain: number
  /** Contracts or programs, in normal form. */
  tokenMessenger: string
  messageTransmitter: string
  /**
   * Solana: the operator's lookup table of what every mint names. A mint does not fit into a transaction
   * without one.
   */
  lookupTable?: string
}

/** A registry entry. A token without a contract is offered only if the configuration names one. */
export interface Entry extends Omit<Chain, 'tokens'> {
  tokens: readonly (Omit<Token, 'contract'> & { contract: string | null })[]
}

/** The domain of Circle's USDC (circlefin/stablecoin-evm). Binance's pegged USDC has no EIP-3009. */
const circle = { name: 'USD Coin', version: '2' }

/** CCTP v2 has the same addresses on all EVM chains (developers.circle.com/cctp, "Contract addresses"). */
const evmCctp = (domain: number): Cctp => ({
  domain,
  tokenMessenger: '0x28b5a0e9c621a5badaa536219b3a228c8168cf5d',
  messageTransmitter: '0x81d40f21f12a8f0e3252bccb954d722d4c464b64',
})

/** 11 January 2024 (superchain-registry, `canyon_time` of both mainnets). */
const canyonTime = 1_704_992_401
/** 2 December 2025 (superchain-registry, `jovian_time` of both mainnets). */
const jovianTime = 1_764_691_201

/**
 * Chains that this version can read. Token addresses are those that Circle and Tether publish for mainnet; on
 * BSC they are Binance's pegged tokens, which have 18 decimals. Block times are from the chains'
 * documentation.
 */
export const registry: readonly Entry[] = [
  {
    name: 'ethereum',
    family: 'evm',
    network: '1',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      {
        symbol: 'USDC',
        contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        decimals: 6,
        authorized: circle,
      },
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
    lowBalance: 10n ** 16n,
    ownReceipts: false,
    cctp: evmCctp(0),
  },
  {
    name: 'polygon',
    family: 'evm',
    network: '137',
    native: { symbol: 'POL', decimals: 18 },
    tokens: [
      {
        symbol: 'USDC',
        contract: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
        decimals: 6,
        authorized: circle,
      },
      { symbol: 'USDT', contract: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', decimals: 6 },
    ],
    lookalikes: [{ symbol: 'USDC.e', contract: '0x2791bca1f2de4661ed88a30c99a7a9449aa84174', decimals: 6 }],
    // The confirmations of polygon count only if no provider reports the finalized tag.
    confirmations: 100,
    byFinalizedTag: true,
    finalizedDepth: 100,
    saysFinalized: false,
    blockMs: 2000,
    // Reorgs of more than 150 blocks have happened (February 2023).
    reorgLimit: 512,
    nativeLog: '0x0000000000000000000000000000000000001010',
    maxFee: 10n * 10n ** 18n,
    lowBalance: 10n ** 18n,
    ownReceipts: true,
    cctp: evmCctp(7),
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
    lowBalance: 10n ** 15n,
    ownReceipts: false,
  },
  {
    name: 'base',
    family: 'evm',
    network: '8453',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      {
        symbol: 'USDC',
        contract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        decimals: 6,
        authorized: circle,
      },
      // Tether issues no USDT here.
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
    lowBalance: 5n * 10n ** 14n,
    ownReceipts: true,
    cctp: evmCctp(6),
    canyonTime,
    jovianTime,
  },
  {
    name: 'arbitrum',
    family: 'evm',
    network: '42161',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      {
        symbol: 'USDC',
        contract: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
        decimals: 6,
        authorized: circle,
      },
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
    lowBalance: 5n * 10n ** 14n,
    ownReceipts: false,
    cctp: evmCctp(3),
  },
  {
    name: 'optimism',
    family: 'evm',
    network: '10',
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      {
        symbol: 'USDC',
        contract: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
        decimals: 6,
        authorized: circle,
      },
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
    lowBalance: 5n * 10n ** 14n,
    ownReceipts: true,
    cctp: evmCctp(2),
    canyonTime,
    jovianTime,
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
    lowBalance: 10_000_000n,
    ownReceipts: false,
    cctp: {
      domain: 5,
      tokenMessenger: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
      messageTransmitter: 'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
    },
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
    lowBalance: 50_000_000n,
    ownReceipts: false,
  },
  {
    name: 'stellar',
    family: 'stellar',
    network: 'Public Global Stellar Network ; September 2015',
    native: { symbol: 'XLM', decimals: 7 },
    tokens: [
      {
        symbol: 'USDC',
        contract: 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
        decimals: 7,
      },
      // Tether's own token there is USDT0.
      {
        symbol: 'USDT',
        contract: 'USDT0:GATISXX6BZ6NC7IKQBY37CJD4SOZL3CYZJWXEDG6JVIY4WBS6KXJHN6Q',
        decimals: 7,
      },
    ],
    lookalikes: [],
    // A closed ledger never changes.
    confirmations: 1,
    byFinalizedTag: false,
    finalizedDepth: 1,
    saysFinalized: true,
    blockMs: 5500,
    // A single provider may report invented ledgers.
    reorgLimit: 128,
    nativeLog: null,
    maxFee: 10_000_000n,
    lowBalance: 10_000_000n,
    ownReceipts: false,
  },
]

/**
 * The operator's bounds on what businesses choose about finality. Amounts are whole tokens, as decimal
 * strings.
 */
export interface FinalityBounds {
  /** Minimum of confirmations that a business may choose. */
  minConfirmations: number
  /** Larger amounts are never accepted before the chain's own rule. */
  earlyUpTo: string
  /** From this amount on every transfer waits for a finalized block; null: the business decides. */
  largeFrom: string | null
}

/** Detection of internal transfers of the native coin: `auto` uses the best method that a provider offers. */
export const internalModes = ['auto', 'balances', 'off'] as const
export type InternalMode = (typeof internalModes)[number]

/** A chain that this deployment reads: its registry entry with the configuration applied, and its nodes. */
export interface ConfiguredChain extends Chain {
  /** The maximum that the treasury pays within 24 hours, in base units of the native coin; null: no limit. */
  feeBudget: bigint | null
  /**
   * The maximum that the treasury sends to deposit addresses within 24 hours, for the gas of sweeps; base
   * units of the native coin.
   */
  gasBudget: bigint
  /**
   * The maximum of each asset that the treasury pays out within 24 hours, by symbol, in base units; one that
   * is missing has no limit.
   */
  dailyLimits: ReadonlyMap<string, bigint>
  rpcUrls: readonly string[]
  wsUrls: readonly string[]
  /** First height to read without a cursor; undefined: the head. */
  startBlock: number | undefined
  /** The operator lets depth replace "finalized", regardless of what the nodes report. */
  finalizedByDepth: boolean
  /**
   * The nodes are the operator's own. EVM receipts are then verified against the block's bloom, not its
   * receipts root; Stellar results are not hashed.
   */
  trusted: boolean
  finality: FinalityBounds
  internalTransfers: InternalMode
  /** Stellar's second API, which also has ledgers that RPC nodes no longer keep. */
  horizonUrls: readonly string[]
  /** Sent to every Tron node as `TRON-PRO-API-KEY`. */
  apiKey: Secret | null
}

/** A chain that may no longer be configured: its sessions are still shown. */
export function knownChain(name: string): Chain | undefined {
  const known = registry.find((chain) => chain.name === name)
  return (
    known && { ...known, tokens: known.tokens.map((token) => ({ ...token, contract: token.contract ?? '' })) }
  )
}

export const tokenOf = (chain: Pick<Chain, 'tokens'>, symbol: string): Token | undefined =>
  chain.tokens.find((token) => token.symbol === symbol)

/** All known assets of a chain: accepted tokens, lookalikes and the native coin. */
export const assetsOf = (chain: Chain): Asset[] => [
  ...chain.tokens,
  ...chain.lookalikes,
  { ...chain.native, contract: null },
]

/**
 * Milliseconds without a new block after which a chain is stale: 30 blocks, but at least 30 s and at most 5
 * min.
 */
export const staleAfterMs = (chain: Pick<Chain, 'blockMs'>): number =>
  Math.min(Math.max(30 * chain.blockMs, 30_000), 300_000)

/** The same for a chain that must be there. @throws Error for an unknown one */
export function registeredChain(name: string): Chain {
  const known = knownChain(name)
  if (!known) throw new Error(`no chain ${name} is known`)
  return known
}
