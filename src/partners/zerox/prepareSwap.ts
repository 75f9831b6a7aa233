import type { Call, CallsSpec, Flow, Token } from '../../chains/action.ts'
import { ActionRefusedError } from '../../chains/sending.ts'
import type { EvmSwapping, SwapTokenFacts } from '../../chains/swapping.ts'
import { checkPrice, minimumOf, unsafe } from '../../swaps/checkPrice.ts'
import { coinPlaceholder } from '../../swaps/coins.ts'
import { type PreparedSwap, SwapProviderError, type SwapQuestion } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { approvalsFor } from './approvalsFor.ts'
import { checkTransaction } from './checkTransaction.ts'
import { checkTrial } from './checkTrial.ts'
import { allowanceHolder, settlerReads } from './contracts.ts'
import { gasOf, planSteps } from './planSteps.ts'
import { readQuote, takesFee } from './readQuote.ts'
import { asTrialFailure, tryCalls } from './tryCalls.ts'

/**
 * The transactions of a swap: what must be allowed first, and the swap. All of 0x's answer is checked: by its
 * protocol, which binds the chain, and by a trial run of all calls, which shows what they move.
 * @throws SwapProviderError, ActionRefusedError, ProviderError
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
  const [tokens, approvals] = await Promise.all([
    tokensOf(chain, question),
    approvalsFor(chain, question),
    requireSettlers(chain, trusted, question.to),
  ])
  const { to, data, value } = quote.transaction
  const calls = [...approvals, { to, data, value, accounts: [] }]
  const actions = calls.map((call, index) =>
    actionOf(question, call, index < approvals.length ? null : { tokens, minBuyAmount }),
  )
  const tryAll = async () => {
    const tried = await tryCalls(chain, question, calls)
    if (tried !== null) checkTrial(question, minBuyAmount, trusted, tried)
    return gasOf(quote.gas, tried)
  }
  const steps = await planSteps(chain, actions, tryAll).catch((error) => {
    throw asTrialFailure(error)
  })
  return { price: quote.price, minBuyAmount, rent: null, steps, askedAt }
}

/**
 * @throws SwapProviderError `unsafe_answer` for a contract that the registry does not know;
 * `provider_refused` while 0x has paused its
 *   Settlers; ActionRefusedError for a recipient that is one of 0x's contracts: any caller may take what they hold
 */
async function requireSettlers(chain: EvmSwapping, trusted: readonly string[], to: string): Promise<void> {
  const answers = await chain.read(settlerReads)
  const known = answers.map((answer) => /^0x0{24}([0-9a-f]{40})$/i.exec(answer ?? '')?.[1]?.toLowerCase())
  if (known[0] === undefined) throw new SwapProviderError('provider_refused', 'It has paused its contracts')
  if (trusted.some((address) => !known.includes(address.slice(2))))
    throw unsafe('a contract is not a Settler')
  if (to === allowanceHolder || known.includes(to.slice(2))) {
    throw new ActionRefusedError(
      'recipient_without_key',
      'the recipient is a contract of 0x, not a wallet',
      'toAddress',
    )
  }
}

interface Tokens {
  /** Null for the coin. */
  sell: Token | null
  buy: Token | null
}

async function tokensOf(chain: EvmSwapping, { sellToken, buyToken }: SwapQuestion): Promise<Tokens> {
  const [sell = null, buy = null] = await Promise.all(
    [sellToken, buyToken].map((contract) => tokenAt(chain, contract)),
  )
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

/** @param swap null for an approval, which moves nothing */
function actionOf(
  question: SwapQuestion,
  call: Call,
  swap: { tokens: Tokens; minBuyAmount: bigint } | null,
): CallsSpec {
  const { from, to, sellAmount } = question
  const spends: Flow[] = swap ? [{ address: from, token: swap.tokens.sell, amount: sellAmount }] : []
  const receives: Flow[] = swap ? [{ address: to, token: swap.tokens.buy, amount: swap.minBuyAmount }] : []
  return {
    kind: 'calls',
    from,
    calls: [call],
    cosigners: [],
    spends,
    receives,
    gasPrice: null,
    gasLimit: null,
  }
}
