import { z } from 'zod'
import { unsafe } from '../../swaps/checkPrice.ts'
import type { PriceAnswer, PriceQuestion } from '../../swaps/provider.ts'
import { JsonNumber } from '../exactJson.ts'
import { getExact, pickExact, readForm, type SwapAccount } from '../getExact.ts'
import { refusalOf } from './refusalOf.ts'

/** Base units: a `u64` of the token program. */
const u64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((amount) => amount < 1n << 64n)
const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)

const quoteForm = z.object({
  inputMint: address,
  outputMint: address,
  inAmount: u64,
  outAmount: u64,
  otherAmountThreshold: u64,
  swapMode: z.string(),
  slippageBps: z.instanceof(JsonNumber),
})

/** More than an instruction can hold: the size of the transaction is checked when it is built. */
const max = { accounts: 255, instructions: 12, tables: 16, data: 2048 }

const instructionForm = z.object({
  programId: address,
  accounts: z
    .array(z.object({ pubkey: address, isSigner: z.boolean(), isWritable: z.boolean() }))
    .max(max.accounts),
  data: z.base64().max(max.data),
})
const instructions = z.array(instructionForm).max(max.instructions)
const instructionsForm = z.object({
  computeBudgetInstructions: instructions,
  setupInstructions: instructions,
  swapInstruction: instructionForm,
  cleanupInstruction: instructionForm.nullish(),
  otherInstructions: instructions.nullish(),
  tipInstruction: instructionForm.nullish(),
  addressesByLookupTableAddress: z
    .record(address, z.array(address).max(256))
    .refine((tables) => Object.keys(tables).length <= max.tables)
    .nullish(),
})

/** An instruction of an answer. Its data is base64. */
export type BuiltInstruction = z.output<typeof instructionForm>
export type BuiltInstructions = z.output<typeof instructionsForm>

/** The documented fields of a quote. Instructions, lookup tables and the blockhash are not shown. */
const shown = [
  ...['inputMint', 'outputMint', 'inAmount', 'outAmount', 'otherAmountThreshold'],
  ...['swapMode', 'slippageBps', 'priceImpactPct', 'routePlan'],
]

/** Where the bought tokens go; without it, to the taker. */
export type Destination = { destinationTokenAccount: string } | { nativeDestinationAccount: string }

/**
 * Sends a GET to `/build`, by https://developers.jup.ag/docs/api-reference/swap/build.
 * @returns the answer's JSON
 * @throws SwapProviderError
 */
export async function requestBuild(
  account: SwapAccount,
  question: PriceQuestion,
  taker: string,
  destination: Destination | null = null,
): Promise<unknown> {
  const query = {
    inputMint: question.sellToken,
    outputMint: question.buyToken,
    amount: String(question.sellAmount),
    slippageBps: String(question.slippageBps),
    taker,
    ...destination,
  }
  const headers = { 'x-api-key': account.apiKey.reveal() }
  const { status, content } = await getExact(account, '/swap/v2/build', query, headers)
  if (status !== 200) throw refusalOf(status, content)
  return content
}

/** The price in an answer. @throws SwapProviderError */
export function priceOf(content: unknown, question: PriceQuestion): PriceAnswer {
  const quote = readForm(quoteForm, content)
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

/** The instructions in an answer. @throws SwapProviderError `malformed` */
export const instructionsOf = (content: unknown): BuiltInstructions => readForm(instructionsForm, content)
