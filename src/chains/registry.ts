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

export interface Chain {
  name: ChainName
  family: Family
  /** EIP-155 id. */
  chainId: number
  native: { symbol: string; decimals: number }
  tokens: readonly Token[]
  /** A transfer is confirmed when its block is this deep, the block itself counted. */
  confirmations: number
}

/**
 * Chains that this version can read. Token addresses are those that Circle and Tether publish for mainnet.
 */
const registry: readonly Chain[] = [
  {
    name: 'ethereum',
    family: 'evm',
    chainId: 1,
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
      { symbol: 'USDT', contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 },
    ],
    confirmations: 12,
  },
]

/** A chain that this deployment reads: its registry entry after configuration, and where its nodes are. */
export interface ConfiguredChain extends Chain {
  rpcUrls: readonly string[]
  wsUrls: readonly string[]
  /** First height to read when there is no cursor; undefined: the head. */
  startBlock: number | undefined
}

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/**
 * The chains that are switched on by `<CHAIN>_RPC_URLS`. `<CHAIN>_USDC`, `<CHAIN>_USDT`, `<CHAIN>_CHAIN_ID`,
 * `<CHAIN>_CONFIRMATIONS`, `<CHAIN>_START_BLOCK` and `<CHAIN>_WS_URLS` override the registry.
 * @returns the chains and, in words, each mistake that was found
 */
export function configuredChains(env: NodeJS.ProcessEnv): { chains: ConfiguredChain[]; mistakes: string[] } {
  const mistakes: string[] = []
  const chains: ConfiguredChain[] = []
  for (const name of chainNames) {
    const prefix = name.toUpperCase()
    const rpcUrls = list(env[`${prefix}_RPC_URLS`])
    if (rpcUrls.length === 0) continue
    const known = registry.find((chain) => chain.name === name)
    if (!known) {
      mistakes.push(`${prefix}_RPC_URLS is set, but this version does not read ${name}`)
      continue
    }
    for (const text of rpcUrls)
      if (!/^https?:\/\//.test(text) || !URL.canParse(text)) mistakes.push(`${prefix}_RPC_URLS has an entry that is no http URL`)
    const wsUrls = list(env[`${prefix}_WS_URLS`])
    for (const text of wsUrls) if (!/^wss?:\/\//.test(text) || !URL.canParse(text)) mistakes.push(`${prefix}_WS_URLS has an entry that is no ws URL`)
    const whole = (variable: string, least: number) => {
      const text = env[`${prefix}_${variable}`]
      if (text === undefined || text === '') return undefined
      const value = Number(text)
      if (Number.isSafeInteger(value) && value >= least) return value
      mistakes.push(`${prefix}_${variable} must be a whole number of at least ${least}`)
      return undefined
    }
    const contractOf = (token: Token) => {
      const text = env[`${prefix}_${token.symbol}`]
      if (!text) return token.contract
      if (!/^0x[0-9a-fA-F]{40}$/.test(text)) mistakes.push(`${prefix}_${token.symbol} is no contract address`)
      return text.toLowerCase()
    }
    chains.push({
      ...known,
      chainId: whole('CHAIN_ID', 1) ?? known.chainId,
      confirmations: whole('CONFIRMATIONS', 1) ?? known.confirmations,
      tokens: known.tokens.map((token) => ({ ...token, contract: contractOf(token) })),
      rpcUrls,
      wsUrls,
      startBlock: whole('START_BLOCK', 0),
    })
  }
  return { chains, mistakes }
}

export const tokenOf = (chain: Chain, symbol: string): Token | undefined => chain.tokens.find((token) => token.symbol === symbol)
