import { z } from 'zod'
import { type PriceAnswer, type PriceQuestion, SwapProviderError } from '../../swaps/provider.ts'
import { getExact, pickExact, readForm, type SwapAccount } from '../getExact.ts'
import { refusalOf } from './refusalOf.ts'

/** Base units: a word of the EVM. */
export const word = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((amount) => amount < 1n << 256n)
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())

const liquidity = z.object({ liquidityAvailable: z.boolean() })
const form = z.object({
  sellToken: address,
  buyToken: address,
  sellAmount: word,
  buyAmount: word,
  minBuyAmount: word,
  gas: z
    .string()
    .regex(/^\d{1,78}$/)
    .nullish(),
})

/** The documented fields of a price. An answer that has more, such as a transaction, is shown without it. */
const shown = [
  'allowanceTarget',
  'blockNumber',
  'buyAmount',
  'buyToken',
  'fees',
  'gas',
  'gasPrice',
  'issues',
  'liquidityAvailable',
  'minBuyAmount',
  'mode',
  'route',
  'sellAmount',
  'sellToken',
  'tokenMetadata',
  'totalNetworkFee',
  'zid',
]

/**
 * The answer to a price or a quote. The slippage is always sent, because 0x's own default is 1 %.
 * @param more parameters of a quote
 * @throws SwapProviderError
 */
export async function readAnswer(
  account: SwapAccount,
  path: string,
  question: PriceQuestion,
  more: Readonly<Record<string, string>> = {},
): Promise<{ price: PriceAnswer; content: unknown }> {
  const query = {
    chainId: question.network,
    sellToken: question.sellToken,
    buyToken: question.buyToken,
    sellAmount: String(question.sellAmount),
    slippageBps: String(question.slippageBps),
    ...more,
  }
  const headers = { '0x-api-key': account.apiKey.reveal(), '0x-version': 'v2' }
  const { status, content } = await getExact(account, path, query, headers)
  if (status !== 200) throw refusalOf(status, content)
  if (!readForm(liquidity, content).liquidityAvailable) {
    throw new SwapProviderError('no_liquidity', 'It has no liquidity for this swap')
  }
  const { gas, ...price } = readForm(form, content)
  return { price: { ...price, estimatedGas: gas ?? null, data: pickExact(content, shown) }, content }
}
