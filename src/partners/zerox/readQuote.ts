import { z } from 'zod'
import { type PriceAnswer, SwapProviderError, type SwapQuestion } from '../../swaps/provider.ts'
import { readForm, type SwapAccount } from '../getExact.ts'
import type { ZeroXTransaction } from './decodeTransaction.ts'
import { address, readAnswer, word } from './readAnswer.ts'

export interface ZeroXQuote {
  price: PriceAnswer
  transaction: ZeroXTransaction
  /** What 0x estimates; null without an estimate. */
  gas: bigint | null
  /** Null where the coin is sold. */
  allowanceTarget: string | null
  /** Of the allowance that 0x found missing; null where enough is allowed. */
  spender: string | null
}

const hex = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase())
const tax = z
  .string()
  .regex(/^\d{1,5}$/)
  .nullish()
const taxes = z.object({ buyTaxBps: tax, sellTaxBps: tax, transferTaxBps: tax }).nullish()

const form = z.object({
  transaction: z.object({ to: address, data: hex, value: word, gas: word.nullish() }),
  allowanceTarget: address.nullish(),
  issues: z.object({ allowance: z.object({ spender: address }).nullish() }),
  tokenMetadata: z.object({ sellToken: taxes, buyToken: taxes }).nullish(),
})

/**
 * A quote with the transaction that swaps, by https://docs.0x.org/api-reference/0-x-api/swap/allowanceholder-getquote. Nothing of
 * it is checked.
 * @throws SwapProviderError
 */
export async function readQuote(account: SwapAccount, question: SwapQuestion): Promise<ZeroXQuote> {
  const more = { taker: question.from, recipient: question.to }
  const { price, content } = await readAnswer(account, '/swap/allowance-holder/quote', question, more)
  const { transaction, allowanceTarget, issues, tokenMetadata } = readForm(form, content)
  const { sellToken, buyToken } = tokenMetadata ?? {}
  const found = [
    sellToken?.sellTaxBps,
    sellToken?.transferTaxBps,
    buyToken?.buyTaxBps,
    buyToken?.transferTaxBps,
  ]
  if (found.some((each) => Number(each ?? 0) > 0)) throw takesFee()
  const { gas, ...call } = transaction
  return {
    price,
    transaction: call,
    gas: gas ?? null,
    allowanceTarget: allowanceTarget ?? null,
    spender: issues.allowance?.spender ?? null,
  }
}

/** Amounts of a quote are not those that arrive. */
export const takesFee = (): SwapProviderError =>
  new SwapProviderError('token_not_supported', 'One of the tokens keeps a part of each transfer')
