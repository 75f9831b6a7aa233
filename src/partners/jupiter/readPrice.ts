import { z } from 'zod'
import { unsafe } from '../../swaps/checkPrice.ts'
import type { PriceAnswer, PriceQuestion } from '../../swaps/provider.ts'
import { JsonNumber } from '../exactJson.ts'
import { getExact, pickExact, readForm, type SwapAccount } from '../getExact.ts'
import { refusalOf } from './refusalOf.ts'

/**
 * `/build` needs an account that swaps. This one is the ed25519 key of the seed
 * SHA-256("cowry: taker of quotes"): it is on the curve, and is not used for anything.
 */
export const quoteTaker = '5bKZDKpocZDvvWMepQRqrQxKL3UJGneCPjGdndVEiy5K'

/** Base units: a `u64` of the token program. */
const u64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((amount) => amount < 1n << 64n)
const mint = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)

const form = z.object({
  inputMint: mint,
  outputMint: mint,
  inAmount: u64,
  outAmount: u64,
  otherAmountThreshold: u64,
  swapMode: z.string(),
  slippageBps: z.instanceof(JsonNumber),
})

/** The documented fields of a quote. Instructions, lookup tables and the blockhash are not shown. */
const shown = [
  ...['inputMint', 'outputMint', 'inAmount', 'outAmount', 'otherAmountThreshold'],
  ...['swapMode', 'slippageBps', 'priceImpactPct', 'routePlan'],
]

/**
 * A price, by https://developers.jup.ag/docs/api-reference/swap/build.
 * @throws SwapProviderError
 */
export async function readPrice(account: SwapAccount, question: PriceQuestion): Promise<PriceAnswer> {
  const query = {
    inputMint: question.sellToken,
    outputMint: question.buyToken,
    amount: String(question.sellAmount),
    slippageBps: String(question.slippageBps),
    taker: quoteTaker,
  }
  const headers = { 'x-api-key': account.apiKey.reveal() }
  const { status, content } = await getExact(account, '/swap/v2/build', query, headers)
  if (status !== 200) throw refusalOf(status, content)
  const quote = readForm(form, content)
  if (quote.swapMode !== 'ExactIn') throw unsafe('the mode')
  if (quote.slippageBps.literal !== String(question.slippageBps)) throw unsafe('the slippage')
  return {
    sellToken: quote.inputMint,
    buyToken: quote.outputMint,
    sellAmount: quote.inAmount,
    buyAmount: quote.outAmount,
    minBuyAmount: quote.otherAmountThreshold,
    estimatedGas: null,
    data: pickExact(content, shown),
  }
}
