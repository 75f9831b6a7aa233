import type { Action, CallsSpec, Flow } from '../chains/action.ts'
import type { ChainSwapping } from '../chains/swapping.ts'
import { asApiError, requireAffordable, requireSensibleFee } from '../transfers/planTransfer.ts'
import { type AskContext, askProvider } from './askProvider.ts'
import { checkPrice, minimumOf, unsafe } from './checkPrice.ts'
import { notSupported } from './errors.ts'
import type { PreparedStep, PreparedSwap, SwapQuestion } from './provider.ts'
import type { WantedExecution } from './readExecution.ts'
import type { Sides } from './requireHeld.ts'
import type { StoredSide } from './storedSwap.ts'

/** Transactions that a swap may take: an allowance set to zero, the allowance, the swap. */
const maxSteps = 3

/**
 * Prepares a swap at its provider, ready to be signed.
 * @throws ApiError 422 with the reason, 503 `partner_unavailable`, `chain_unavailable`
 */
export async function prepareSwap(
  ctx: AskContext,
  wanted: WantedExecution,
  sides: Sides,
  swapping: ChainSwapping | undefined,
): Promise<PreparedSwap> {
  const { chain, provider, from, to, sell, buy, slippageBps } = wanted
  if (!swapping) throw notSupported(chain.name, false)
  const question: SwapQuestion = {
    network: chain.network,
    sellToken: sell.token,
    buyToken: buy.token,
    sellAmount: sides.sell.amount,
    slippageBps,
    from,
    to,
  }
  const work = async (onAnswer: () => void) => {
    const prepared = await provider.prepare(question, swapping, onAnswer)
    requireSound(question, prepared)
    return prepared
  }
  const prepared = await askProvider(ctx, { provider, priority: 'execution', work }).catch((error) => {
    throw asApiError(chain.name, error)
  })
  for (const { plan } of prepared.steps) {
    requireAffordable(plan)
    await requireSensibleFee(ctx, chain, plan)
  }
  return { ...prepared, steps: prepared.steps.map((step) => withFlows(step, question, sides, prepared.minBuyAmount)) }
}

/** Checks what follows from the question alone, whichever provider prepared the swap. @throws SwapProviderError `unsafe_answer` */
function requireSound(question: SwapQuestion, { price, minBuyAmount, steps }: PreparedSwap): void {
  checkPrice(question, price)
  if (minBuyAmount !== minimumOf(price.buyAmount, question.slippageBps)) throw unsafe('the minimum')
  const purposes = steps.map(({ purpose }) => purpose)
  if (steps.length > maxSteps || purposes.at(-1) !== 'swap' || purposes.indexOf('swap') !== steps.length - 1) throw unsafe('the steps')
  if (steps.some(({ action }) => !isOnlyOf(action, question.from))) throw unsafe('the sender')
}

const isOnlyOf = (action: Action, from: string): action is CallsSpec =>
  action.kind === 'calls' && action.from === from && action.cosigners.length === 0

/** States what a step spends and brings at least: affordability and what arrived are read from it. */
function withFlows(step: PreparedStep, { from, to }: SwapQuestion, { sell, buy }: Sides, minBuyAmount: bigint): PreparedStep {
  const { purpose, action } = step
  if (action.kind !== 'calls') return step
  if (purpose === 'swap-approval') return { ...step, action: { ...action, spends: [], receives: [] } }
  return { ...step, action: { ...action, spends: [flowOf(from, sell, sell.amount)], receives: [flowOf(to, buy, minBuyAmount)] } }
}

function flowOf(address: string, { token, symbol, decimals }: StoredSide, amount: bigint): Flow {
  return { address, token: token === null ? null : { contract: token, symbol: symbol ?? '', decimals }, amount }
}
