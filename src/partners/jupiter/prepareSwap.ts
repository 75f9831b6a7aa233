import type { CallsSpec, Flow } from '../../chains/action.ts'
import { ActionRefusedError } from '../../chains/sending.ts'
import {
  BusyTrialError,
  type SolanaMint,
  type SolanaSwapping,
  type SwapTrial,
  UnsafeTrialError,
} from '../../chains/solanaSwapping.ts'
import { checkPrice, minimumOf } from '../../swaps/checkPrice.ts'
import { wrappedSol } from '../../swaps/coins.ts'
import { type PreparedSwap, SwapProviderError, type SwapQuestion } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { instructionsOf, priceOf, requestBuild } from './build.ts'
import { checkRoute } from './checkRoute.ts'
import { checkSurroundings, type Opening } from './checkSurroundings.ts'
import { accountsOf, destinationOf, type SwapAccounts, wrappedOf } from './swapAccounts.ts'
import { swapCalls } from './swapCalls.ts'

/**
 * The transaction of a swap. All of Jupiter's answer is checked: its instruction, which binds the program to
 * the minimum, and by a trial run of the whole transaction, which shows what it changes.
 * @throws SwapProviderError, ActionRefusedError, ProviderError
 */
export async function prepareSwap(
  account: SwapAccount,
  question: SwapQuestion,
  chain: SolanaSwapping,
): Promise<PreparedSwap> {
  const [sell, buy] = await Promise.all([mintOf(chain, question.sellToken), mintOf(chain, question.buyToken)])
  const accounts = accountsOf(question, { sell, buy })
  const askedAt = new Date()
  const content = await requestBuild(account, question, question.from, destinationOf(accounts))
  const price = priceOf(content, question)
  checkPrice(question, price)
  const minBuyAmount = minimumOf(price.buyAmount, question.slippageBps)
  const built = instructionsOf(content)
  checkRoute(question, accounts, price, built.swapInstruction)
  const openings = checkSurroundings(accounts, question.sellAmount, built)
  const unwraps = accounts.wrapped !== null || (await passesThroughSol(chain, question.from, openings))
  const { calls, swapAt, opens } = swapCalls(
    accounts,
    question.sellAmount,
    openings,
    built.swapInstruction,
    unwraps,
  )
  const flows = {
    spends: [flowOf(question.from, sell, question.sellAmount)],
    receives: minBuyAmount > 0n ? [flowOf(question.to, buy, minBuyAmount)] : [],
  }
  const action: CallsSpec = {
    kind: 'calls',
    from: question.from,
    calls,
    cosigners: [],
    ...flows,
    gasPrice: null,
    gasLimit: null,
  }
  const tables = new Map(Object.entries(built.addressesByLookupTableAddress ?? {}))
  const trial = { ...sidesOf(accounts, question.sellAmount, minBuyAmount), action, opens, unwraps, tables }
  const { plan, rent } = await chain.tryAndPlan(trial).catch((error) => {
    throw problemOf(error, swapAt)
  })
  return { price, minBuyAmount, rent, steps: [{ purpose: 'swap', action, plan }], askedAt }
}

/**
 * Between tokens, a route may open the sender's account of wrapped SOL: then it is closed again. One that
 * exists stays as it is.
 */
async function passesThroughSol(
  chain: SolanaSwapping,
  from: string,
  openings: readonly Opening[],
): Promise<boolean> {
  const wrapped = wrappedOf(from)
  return openings.some(({ address }) => address === wrapped) && !(await chain.exists(wrapped))
}

/** @returns null for the coin. @throws SwapProviderError `token_not_supported` */
async function mintOf(chain: SolanaSwapping, token: string): Promise<SolanaMint | null> {
  if (token === wrappedSol) return null
  const mint = await chain.mint(token)
  if (mint === null) throw new SwapProviderError('token_not_supported', 'One of the tokens is not one')
  if (mint.takesFee)
    throw new SwapProviderError('token_not_supported', 'One of the tokens keeps a part of each transfer')
  return mint
}

function flowOf(address: string, mint: SolanaMint | null, amount: bigint): Flow {
  const token = mint && { contract: mint.contract, symbol: mint.symbol, decimals: mint.decimals }
  return { address, token, amount }
}

function sidesOf(
  { to, sell, buy }: SwapAccounts,
  sellAmount: bigint,
  minBuyAmount: bigint,
): Pick<SwapTrial, 'to' | 'sold' | 'bought'> {
  return {
    to,
    sold: { mint: sell.mint, account: sell.account, amount: sellAmount },
    bought: { mint: buy.mint, account: buy.account, amount: minBuyAmount },
  }
}

/** `SlippageToleranceExceeded` of Jupiter's program (its IDL), in hex. */
const slippageExceeded = '0x1771'
/** Instructions of the compute budget, which come first. */
const budgetInstructions = 2

function problemOf(error: unknown, swapAt: number): unknown {
  if (error instanceof BusyTrialError) return error
  if (error instanceof UnsafeTrialError) return new SwapProviderError('unsafe_answer', error.publicText)
  const failed = `instruction ${budgetInstructions + swapAt + 1}: custom program error ${slippageExceeded}`
  if (error instanceof ActionRefusedError && error.reason === 'unsupported_action') {
    return new SwapProviderError('no_liquidity', 'The route does not fit into one transaction')
  }
  const hasMoved =
    error instanceof ActionRefusedError &&
    error.reason === 'simulation_failed' &&
    error.message.includes(failed)
  return hasMoved ? new SwapProviderError('price_moved', 'The trial run brings less than the minimum') : error
}
