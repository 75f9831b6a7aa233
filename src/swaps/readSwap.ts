import { addressCodec } from '../chains/codecs.ts'
import { readAddress } from '../chains/readAddress.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { requireChain, requireKnownChain } from '../chains/requireChain.ts'
import { invalidBody } from '../platform/errors.ts'
import { type Coin, coinPlaceholder, coins } from './coins.ts'
import { notSupported, tokenNotSupported } from './errors.ts'
import type { SwapProvider, SwapProviders } from './provider.ts'

export interface SwapRequest {
  chain: string
  sellToken: string
  buyToken: string
  amount: string
  slippageBps?: number
}

/** One side of a swap. */
export interface SwapToken {
  field: 'sellToken' | 'buyToken'
  /** Normal form; the coin as the provider writes it. */
  token: string
  isCoin: boolean
}

export interface WantedSwap {
  chain: ConfiguredChain
  provider: SwapProvider
  sell: SwapToken
  buy: SwapToken
  slippageBps: number
}

const defaultSlippageBps = 50

export interface ReadSwapContext {
  chains: readonly ConfiguredChain[]
  swaps: Pick<SwapProviders, 'evm' | 'solana'>
}

/**
 * Reads a request, without the chain or the provider.
 * @throws ApiError 400 naming the field: `swap_not_supported`, `invalid_address`, `wrong_chain_address`,
 * `Invalid
 *   request body`; 422 `token_not_supported` for the coin and its wrapped token
 */
export function readSwap(ctx: ReadSwapContext, request: SwapRequest): WantedSwap {
  const { family, name } = requireKnownChain(request.chain)
  const coin = coins[name]
  const provider = family === 'evm' || family === 'solana' ? ctx.swaps[family] : null
  if (coin === undefined || provider === null) throw notSupported(name, coin !== undefined)
  const chain = requireChain(ctx, name)
  const sell = readToken(chain, coin, request.sellToken, 'sellToken')
  const buy = readToken(chain, coin, request.buyToken, 'buyToken')
  if (sell.token === buy.token) {
    throw invalidBody({
      field: 'buyToken',
      message: 'must be another token than sellToken',
      code: 'not_possible',
    })
  }
  const other = [sell, buy].find(({ isCoin }) => !isCoin)
  if ((sell.isCoin || buy.isCoin) && other?.token === coin.wrapped) {
    const message = `is the wrapped ${chain.native.symbol}: wrap or unwrap it at its contract, one for one`
    throw tokenNotSupported(other.field, message)
  }
  return { chain, provider, sell, buy, slippageBps: request.slippageBps ?? defaultSlippageBps }
}

/** A token of a swap, by itself. @throws ApiError 400 naming the field */
export function readSwapToken(chain: ConfiguredChain, text: string, field: SwapToken['field']): void {
  const coin = coins[chain.name]
  if (coin) readToken(chain, coin, text, field)
}

function readToken(chain: ConfiguredChain, coin: Coin, text: string, field: SwapToken['field']): SwapToken {
  const isPlaceholder = chain.family === 'evm' && addressCodec('evm').normalise(text) === coinPlaceholder
  if (text.trim() === 'native' || isPlaceholder) return { field, token: coin.provider, isCoin: true }
  const token = readAddress(chain, text, field)
  const isCoin = token === coin.provider || token === coin.contract
  return { field, token: isCoin ? coin.provider : token, isCoin }
}
