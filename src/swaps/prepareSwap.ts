import type { Action, CallsSpec, Flow } from '../chains/action.ts'
import { ProviderError } from '../chains/chain.ts'
import { BusyTrialError } from '../chains/solanaSwapping.ts'
import { type ChainSwapping, NoTrialRunError } from '../chains/swapping.ts'
import { ApiError } from '../platform/errors.ts'
import { asApiError, requireAffordable, requireSensibleFee } from '../transfers/planTransfer.ts'
import { checkPrice, minimumOf, unsafe } from './checkPrice.ts'
import { notSupported } from './errors.ts'
import { promisedAmount } from './promisedAmount.ts'
import type { PreparedStep, PreparedSwap, SwapQuestion } from './provider.ts'
import type { WantedExecution } from './readExecution.ts'
import { type ProviderRequestContext, requestProvider } from './requestProvider.ts'
import type { Sides } from './requireHeld.ts'
import type { StoredSide } from './storedSwap.ts'

/** Transactions that a swap may take: an allowance set to zero, the allowance, the swap. */
const maxSteps = 3

/**
 * Prepares a swap at its provider, ready to be signed. Other swaps of the sender must not be prepared
 * meanwhile.
 * @throws ApiError 422 with the reason, 503 `partner_unavailable`, `chain_unavailable`
 */
export async function prepareSwap(
  ctx: ProviderRequestContext,
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
    promised: sell.isCoin ? 0n : await promisedAmount(ctx.db, chain.name, from, sell.token),
  }
  const work = async (onAnswer: () => void) => {
    const prepared = await provider.prepare(question, swapping, onAnswer)
    requireSound(question, prepared)
    requireDecimals(sides, prepared)
    return prepared
  }
  const prepared = await requestProvider(ctx, { provider, priority: 'execution', work }).catch((error) => {
    if (error instanceof BusyTrialError) throw isPaid(error)
    throw error instanceof NoTrialRunError ? noTrialRun(chain.name, error) : asApiError(chain.name, error)
  })
  for (const { plan } of prepared.steps) {
    requireAffordable(plan)
    await requireSensibleFee(ctx, chain, plan)
  }
  return {
    ...prepared,
    steps: prepared.steps.map((step) => withFlows(step, question, sides, prepared.minBuyAmount)),
  }
}

/**
 * Checks what follows from the request alone, for every provider. @throws
 * SwapProviderError `unsafe_answer`
 */
function requireSound(question: SwapQuestion, { price, minBuyAmount, steps }: PreparedSwap): void {
  checkPrice(question, price)
  if (minBuyAmount !== minimumOf(price.buyAmount, question.slippageBps)) throw unsafe('the minimum')
  const purposes = steps.map(({ purpose }) => purpose)
  if (steps.length > maxSteps || purposes.at(-1) !== 'swap' || purposes.indexOf('swap') !== steps.length - 1)
    throw unsafe('the steps')
  if (steps.some(({ action }) => !isOnlyOf(action, question.from))) throw unsafe('the sender')
}

/** Seconds until another try, after the operator has given the chain a node that can. */
const noTrialRetrySeconds = 60

const noTrialRun = (chain: string, cause: NoTrialRunError) =>
  new ApiError(503, 'unavailable', `No node of ${chain} can try the transactions of this swap`, {
    retryAfterSeconds: noTrialRetrySeconds,
    cause,
  })

const isPaid = (cause: BusyTrialError) =>
  new ApiError(
    503,
    'unavailable',
    'Payments reach the accounts of this swap right now; nothing was sent: send it again',
    {
      retryAfterSeconds: 1,
      cause,
    },
  )

/**
 * The amount was read with the decimals of `sides`: those that the provider's module read from the chain must
 * be the same.
 * @throws ProviderError
 */
function requireDecimals({ sell, buy }: Sides, { steps }: PreparedSwap): void {
  const action = steps.at(-1)?.action
  const flows = action?.kind === 'calls' ? [...action.spends, ...action.receives] : []
  for (const { token, decimals } of [sell, buy]) {
    const read = flows.filter((flow) => token !== null && flow.token?.contract === token)
    if (read.some((flow) => flow.token?.decimals !== decimals))
      throw new ProviderError(`nodes disagree about the decimals of ${token}`)
  }
}

const isOnlyOf = (action: Action, from: string): action is CallsSpec =>
  action.kind === 'calls' && action.from === from && action.cosigners.length === 0

/** States what a step spends and brings at least: affordability and what arrived are read from it. */
function withFlows(
  step: PreparedStep,
  { from, to }: SwapQuestion,
  { sell, buy }: Sides,
  minBuyAmount: bigint,
): PreparedStep {
  const { purpose, action } = step
  if (action.kind !== 'calls') return step
  if (purpose === 'swap-approval') return { ...step, action: { ...action, spends: [], receives: [] } }
  return {
    ...step,
    action: {
      ...action,
      spends: [flowOf(from, sell, sell.amount)],
      receives: [flowOf(to, buy, minBuyAmount)],
    },
  }
}

function flowOf(address: string, { token, symbol, decimals }: StoredSide, amount: bigint): Flow {
  return {
    address,
    token: token === null ? null : { contract: token, symbol: symbol ?? '', decimals },
    amount,
  }
}
