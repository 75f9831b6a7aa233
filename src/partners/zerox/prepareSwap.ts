import type { Call, CallsSpec, Flow, Token } from '../../chains/action.ts'
import { ProviderError } from '../../chains/chain.ts'
import { ActionRefused } from '../../chains/sending.ts'
import type { EvmSwapping, SwapTokenFacts, TrialCall } from '../../chains/swapping.ts'
import { checkPrice, minimumOf, unsafe } from '../../swaps/checkPrice.ts'
import { coinPlaceholder } from '../../swaps/coins.ts'
import { type PreparedStep, type PreparedSwap, SwapProviderError, type SwapQuestion } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { checkTransaction } from './checkTransaction.ts'
import { checkTrial, watchedOf } from './checkTrial.ts'
import { allowanceHolder, settlerReads } from './contracts.ts'
import { readQuote, takesFee, type ZeroXQuote } from './readQuote.ts'

/**
 * The transactions of a swap: what must be allowed first, and the swap. All that 0x says is checked: by its protocol, which
 * binds the chain, and by a trial run of all calls, which shows what they move.
 * @throws SwapProviderError, ActionRefused, ProviderError
 */
export async function prepareSwap(
  account: SwapAccount,
  question: SwapQuestion,
  chain: EvmSwapping,
  onAnswer: () => void = () => {},
): Promise<PreparedSwap> {
  const askedAt = new Date()
  const quote = await readQuote(account, question)
  onAnswer()
  checkPrice(question, quote.price)
  const minBuyAmount = minimumOf(quote.price.buyAmount, question.slippageBps)
  const trusted = checkTransaction(question, minBuyAmount, quote)
  const [tokens, approvals] = await Promise.all([tokensOf(chain, question), approvalsFor(chain, question), requireSettlers(chain, trusted)])
  const { to, data, value } = quote.transaction
  const calls = [...approvals, { to, data, value, accounts: [] }]
  const actions = calls.map((call, index) => actionOf(question, call, index < approvals.length ? null : { tokens, minBuyAmount }))
  const steps = await planAll(chain, actions, async () => {
    const tried = await tryAll(chain, question, calls)
    if (tried !== null) checkTrial(question, minBuyAmount, tried)
    return gasOf(quote, tried?.calls ?? null)
  })
  return { price: quote.price, minBuyAmount, rent: null, steps, askedAt }
}

/** @throws SwapProviderError `unsafe_answer` for a contract that the registry does not know, or while 0x has paused its Settlers */
async function requireSettlers(chain: EvmSwapping, trusted: readonly string[]): Promise<void> {
  const answers = await chain.read(settlerReads)
  const known = answers.map((answer) => /^0x0{24}([0-9a-f]{40})$/i.exec(answer ?? '')?.[1]?.toLowerCase())
  if (known[0] === undefined) throw unsafe('its contracts are paused')
  if (trusted.some((address) => !known.includes(address.slice(2)))) throw unsafe('a contract is not a Settler')
}

interface Tokens {
  /** Null for the coin. */
  sell: Token | null
  buy: Token | null
}

async function tokensOf(chain: EvmSwapping, { sellToken, buyToken }: SwapQuestion): Promise<Tokens> {
  const [sell = null, buy = null] = await Promise.all([sellToken, buyToken].map((contract) => tokenAt(chain, contract)))
  return { sell, buy }
}

/** @throws SwapProviderError `token_not_supported` */
async function tokenAt(chain: EvmSwapping, contract: string): Promise<Token | null> {
  if (contract === coinPlaceholder) return null
  const facts: SwapTokenFacts | null = await chain.token(contract)
  if (facts === null) throw new SwapProviderError('token_not_supported', 'One of the tokens is not one')
  if (facts.takesFee) throw takesFee()
  const { symbol, decimals } = facts
  return { contract, symbol, decimals }
}

/**
 * The calls that allow exactly what is sold; none where enough is allowed already. Some tokens, as USDT of Ethereum, change an
 * allowance only from zero.
 */
async function approvalsFor(chain: EvmSwapping, { from, sellToken, sellAmount }: SwapQuestion): Promise<Call[]> {
  if (sellToken === coinPlaceholder) return []
  const allowed = await chain.allowance(sellToken, from, allowanceHolder)
  if (allowed >= sellAmount) return []
  const exact = chain.approval(sellToken, allowanceHolder, sellAmount)
  if (allowed === 0n || (await chain.failureOf(from, exact)) === null) return [exact]
  return [chain.approval(sellToken, allowanceHolder, 0n), exact]
}

/** @param swap null for an approval, which moves nothing */
function actionOf(question: SwapQuestion, call: Call, swap: { tokens: Tokens; minBuyAmount: bigint } | null): CallsSpec {
  const { from, to, sellAmount } = question
  const spends: Flow[] = swap ? [{ address: from, token: swap.tokens.sell, amount: sellAmount }] : []
  const receives: Flow[] = swap ? [{ address: to, token: swap.tokens.buy, amount: swap.minBuyAmount }] : []
  return { kind: 'calls', from, calls: [call], cosigners: [], spends, receives, gasPrice: null, gasLimit: null }
}

/**
 * Plans all steps. Those after the first run on a state that does not exist yet: their gas is that of the trial run. Where the sender
 * lacks funds, nothing can be tried, and the shortages of the plan say what is missing.
 */
async function planAll(chain: EvmSwapping, actions: readonly CallsSpec[], tryGas: () => Promise<(bigint | null)[]>): Promise<PreparedStep[]> {
  const steps: PreparedStep[] = []
  const planNext = async (action: CallsSpec, index: number, simulated: bigint | null) => {
    const before = steps.reduce((total, { plan }) => total + plan.fee.max, 0n)
    const plan = await chain.plan(action, { before, simulated })
    steps.push({ purpose: index === actions.length - 1 ? 'swap' : 'swap-approval', action, plan })
    return plan.shortages.length > 0
  }
  const lacks = await lacksFunds(chain, actions)
  const gas = lacks ? [] : await tryGas()
  for (const [index, action] of actions.entries()) {
    await planNext(action, index, index === 0 ? null : (gas[index] ?? unknownGas))
  }
  return steps
}

/** Where nothing can be tried; the sender lacks funds, and nothing is signed. */
const unknownGas = 300_000n

async function lacksFunds(chain: EvmSwapping, actions: readonly CallsSpec[]): Promise<boolean> {
  const swap = actions.at(-1)
  if (swap === undefined) return false
  const { shortages } = await chain.plan(swap, { before: 0n, simulated: unknownGas })
  return shortages.length > 0
}

/** @returns null where no node can try several calls, and one call would succeed */
async function tryAll(chain: EvmSwapping, question: SwapQuestion, calls: readonly Call[]) {
  const { from } = question
  const tried = await chain.simulate({ from, calls, watched: watchedOf(question) })
  if (tried === null) {
    const [only, ...more] = calls
    if (only === undefined || more.length > 0) throw new ProviderError('no node can try several calls at once')
    const reason = await chain.failureOf(from, only)
    if (reason !== null) throw failed(reason)
    return null
  }
  const failure = tried.calls.find((call) => call.failure !== null)?.failure
  if (failure?.data.startsWith(tooMuchSlippage)) throw new SwapProviderError('price_moved', 'The trial run brings less than the minimum')
  if (failure) throw failed(failure.reason)
  return tried
}

/** `TooMuchSlippage(address token, uint256 expected, uint256 actual)` of a Settler. */
const tooMuchSlippage = '0x97a6f3b9'

const failed = (reason: string): ActionRefused => new ActionRefused('simulation_failed', `The swap would fail: ${reason}`)

/** A refund of gas is at most a fifth of what was used (EIP-3529): this is needed before it. */
const beforeRefund = (gasUsed: bigint): bigint => (gasUsed * 5n + 3n) / 4n
/** A rollup's gas also pays for data, which only 0x's estimate knows. Its estimate counts up to this multiple. */
const maxMultiple = 4n

function gasOf({ gas }: ZeroXQuote, calls: readonly TrialCall[] | null): (bigint | null)[] {
  return (calls ?? []).map(({ gasUsed }, index, all) => {
    const need = beforeRefund(gasUsed)
    if (index < all.length - 1 || gas === null || gas < need) return need
    return gas < gasUsed * maxMultiple ? gas : gasUsed * maxMultiple
  })
}
