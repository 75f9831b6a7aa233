import { formatUnits } from '../money/amount.ts'
import { type PriceAnswer, type PriceQuestion, SwapProviderError } from './provider.ts'

/** All of an amount, in basis points. */
const wholeBps = 10_000n

/** The minimum that a swap must bring: rounded down, as the providers do. */
export function minimumOf(buyAmount: bigint, slippageBps: number): bigint {
  return (buyAmount * (wholeBps - BigInt(slippageBps))) / wholeBps
}

/**
 * Checks that an answer is of this question and keeps the caller's slippage.
 * @throws SwapProviderError `no_liquidity`, `unsafe_answer` naming the field
 */
export function checkPrice(question: PriceQuestion, answer: PriceAnswer): void {
  if (answer.sellToken !== question.sellToken) throw unsafe('the token to sell')
  if (answer.buyToken !== question.buyToken) throw unsafe('the token to buy')
  if (answer.sellAmount !== question.sellAmount) throw unsafe('the amount to sell')
  if (answer.buyAmount === 0n) throw new SwapProviderError('no_liquidity', 'It buys nothing for this amount')
  const minimum = minimumOf(answer.buyAmount, question.slippageBps)
  if (answer.minBuyAmount < minimum || answer.minBuyAmount > answer.buyAmount) throw unsafe('the minimum')
}

export const unsafe = (what: string): SwapProviderError =>
  new SwapProviderError('unsafe_answer', `Its answer differs from the request, or from the slippage: ${what}`)

/** Base units of a token, and its decimals. */
interface Side {
  amount: bigint
  decimals: number
}

/** Digits of a price. */
const significant = 18

/**
 * Whole units of the bought token for one of the sold token: 18 significant digits, rounded down.
 * @param sold above zero @param bought above zero
 */
export function priceOf(sold: Side, bought: Side): string {
  const numerator = bought.amount * 10n ** BigInt(sold.decimals)
  const denominator = sold.amount * 10n ** BigInt(bought.decimals)
  const places = Math.max(0, significant + String(denominator).length - String(numerator).length)
  const digits = (numerator * 10n ** BigInt(places)) / denominator
  const excess = Math.max(0, String(digits).length - significant)
  const rounded = (digits / 10n ** BigInt(excess)) * 10n ** BigInt(excess)
  return formatUnits(rounded, places)
}
