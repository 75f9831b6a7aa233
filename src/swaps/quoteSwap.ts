import type { ConfiguredChain } from '../chains/registry.ts'
import { type AskContext, askProvider } from './askProvider.ts'
import { checkPrice, priceOf } from './checkPrice.ts'
import type { PriceQuestion, SwapProviders } from './provider.ts'
import { readAmount } from './readAmount.ts'
import { type DecimalsContext, readDecimals } from './readDecimals.ts'
import { readSwap, type SwapRequest } from './readSwap.ts'

export interface QuoteContext extends AskContext, DecimalsContext {
  chains: readonly ConfiguredChain[]
  swaps: SwapProviders
}

/**
 * The present price of a swap.
 * @throws ApiError as `readSwap`, `readDecimals` and `askProvider`; 400 naming `amount`
 */
export async function quoteSwap(ctx: QuoteContext, request: SwapRequest) {
  const { chain, provider, sell, buy, slippageBps } = readSwap(ctx, request)
  const [sellDecimals = 0, buyDecimals = 0] = await readDecimals(ctx, chain, [sell, buy])
  const question: PriceQuestion = {
    network: chain.network,
    sellToken: sell.token,
    buyToken: buy.token,
    sellAmount: readAmount(chain, request.amount, sellDecimals),
    slippageBps,
  }
  const work = async () => {
    const answered = await provider.price(question)
    checkPrice(question, answered)
    return answered
  }
  const answer = await askProvider(ctx, { provider, priority: 'quote', work })
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
