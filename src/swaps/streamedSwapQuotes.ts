import { ApiError, fieldMistakes, invalidParameters } from '../platform/errors.ts'
import type { QuoteSource, Readers } from '../platform/quoteSource.ts'
import { pause } from '../platform/wait.ts'
import type { PriceAnswer } from './provider.ts'
import { checkedPrice, presentQuote, type QuoteContext, readInquiry, type SwapInquiry } from './quoteSwap.ts'
import type { CountQuestion } from './readDecimals.ts'
import type { SwapRequest } from './readSwap.ts'
import { busy, requestInTurn, requestProvider } from './requestProvider.ts'
import type { TakeStreamTurn } from './streamTurns.ts'

/** An unchanged price is sent again after this time, so that its reader knows that it is the present one. */
const renewMs = 30_000
/** A provider that did not serve a stream gets a request again after this time at the earliest. */
const retryMs = 5000

export interface StreamedSwapsContext extends QuoteContext {
  streamTurn: TakeStreamTurn
}

/**
 * Quotes of a swap for a stream. They are the same for all businesses.
 * @throws ApiError as `readInquiry`; what is wrong with a field of the body is here wrong with a parameter
 */
export async function streamedSwapQuotes(
  ctx: StreamedSwapsContext,
  request: SwapRequest,
  counted: CountQuestion,
): Promise<QuoteSource> {
  const inquiry = await readInquiry(ctx, request, counted).catch(inParameters)
  const { network, sellToken, buyToken, sellAmount, slippageBps } = inquiry.question
  const next = nextAnswer(ctx, inquiry)
  return {
    key: JSON.stringify([
      inquiry.provider.name,
      network,
      sellToken,
      buyToken,
      String(sellAmount),
      slippageBps,
    ]),
    async request(readers) {
      const answer = await next(readers)
      return {
        version: `${answer.buyAmount} ${answer.minBuyAmount}`,
        renewAt: Date.now() + renewMs,
        present: () => presentQuote(inquiry, answer),
      }
    },
  }
}

/**
 * Requests the quote: at first like any quote, because a caller waits; then when no other request has to be
 * made.
 */
function nextAnswer(
  ctx: StreamedSwapsContext,
  inquiry: SwapInquiry,
): (readers: Readers) => Promise<PriceAnswer> {
  const { provider } = inquiry
  const work = () => checkedPrice(inquiry)
  let isOpen = false
  let notBefore = 0
  const inTurn = async (readers: Readers) => {
    await pause(notBefore - Date.now(), readers.signal)
    const turn = await ctx.streamTurn(provider, readers)
    if (turn.isTooLate) throw busy(ctx, provider, turn)
    return requestInTurn(ctx, provider, work).catch((error) => {
      const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
      notBefore = Date.now() + Math.max(retryMs, seconds * 1000)
      throw error
    })
  }
  return async (readers) => {
    if (isOpen) return inTurn(readers)
    const first = await requestProvider(ctx, { provider, priority: 'quote', work })
    isOpen = true
    return first
  }
}

function inParameters(error: unknown): never {
  const isOfField = error instanceof ApiError && error.error === 'Invalid request body'
  throw isOfField ? invalidParameters(...fieldMistakes(error)) : error
}
