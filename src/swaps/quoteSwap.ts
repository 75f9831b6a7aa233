import type { ConfiguredChain } from '../chains/registry.ts'
import { checkPrice, priceOf } from './checkPrice.ts'
import type { PriceAnswer, PriceQuestion, SwapProvider, SwapProviders } from './provider.ts'
import { readAmount } from './readAmount.ts'
import { type CountQuestion, type DecimalsContext, readDecimals } from './readDecimals.ts'
import { readSwap, type SwapRequest } from './readSwap.ts'
import { type ProviderRequestContext, requestProvider } from './requestProvider.ts'

export interface QuoteContext extends ProviderRequestContext, DecimalsContext {
  chains: readonly ConfiguredChain[]
  swaps: SwapProviders
}

/** A request as its provider gets it. */
export interface SwapInquiry {
  chain: ConfiguredChain
  provider: SwapProvider
  question: PriceQuestion
  sellDecimals: number
  buyDecimals: number
}

/**
 * The present price of a swap.
 * @throws ApiError as `readInquiry` and `requestProvider`
 */
export async function quoteSwap(ctx: QuoteContext, request: SwapRequest, counted: CountQuestion) {
  const inquiry = await readInquiry(ctx, request, counted)
  const work = () => checkedPrice(inquiry)
  const answer = await requestProvider(ctx, { provider: inquiry.provider, priority: 'quote', work })
  return presentQuote(inquiry, answer)
}

/** @throws ApiError as `readSwap` and `readDecimals`; 400 naming `amount` */
export async function readInquiry(
  ctx: QuoteContext,
  request: SwapRequest,
  counted: CountQuestion,
): Promise<SwapInquiry> {
  const { chain, provider, sell, buy, slippageBps } = readSwap(ctx, request)
  const [sellDecimals = 0, buyDecimals = 0] = await readDecimals(ctx, chain, [sell, buy], counted)
  const question: PriceQuestion = {
    network: chain.network,
    sellToken: sell.token,
    buyToken: buy.token,
    sellAmount: readAmount(chain, request.amount, sellDecimals),
    slippageBps,
  }
  return { chain, provider, question, sellDecimals, buyDecimals }
}

/** @throws SwapProviderError */
export async function checkedPrice({
  provider,
  question,
}: Pick<SwapInquiry, 'provider' | 'question'>): Promise<PriceAnswer> {
  const answer = await provider.price(question)
  checkPrice(question, answer)
  return answer
}

export function presentQuote({ provider, sellDecimals, buyDecimals }: SwapInquiry, answer: PriceAnswer) {
  const sold = { amount: answer.sellAmount, decimals: sellDecimals }
  const bought = { amount: answer.buyAmount, decimals: buyDecimals }
  return {
    provider: provider.name,
    data: {
      ...answer.data,
      sellToken: answer.sellToken,
      buyToken: answer.buyToken,
      sellAmount: String(answer.sellAmount),
      buyAmount: String(answer.buyAmount),
      minBuyAmount: String(answer.minBuyAmount),
      price: priceOf(sold, bought),
      ...(answer.estimatedGas !== null && { estimatedGas: answer.estimatedGas }),
    },
  }
}
