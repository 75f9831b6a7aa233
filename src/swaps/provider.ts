import type { Action } from '../chains/action.ts'
import type { ActionPlan } from '../chains/sending.ts'
import type { ChainSwapping } from '../chains/swapping.ts'
import { BaseError, type Retry } from '../platform/errors.ts'
import type { JsonValue } from './json.ts'

/** The port of a swap provider: it prices and prepares swaps of a pair of tokens on one family of chains. */
export interface SwapProvider {
  name: SwapProviderName
  /** The requests that it takes in a second, over all processes. */
  perSecond: number
  /**
   * The present price. It changes nothing, so it may be repeated.
   * @throws SwapProviderError
   */
  price(question: PriceQuestion): Promise<PriceAnswer>
  /**
   * Transactions that swap. Every answer of the provider is checked before this returns: by its own
   * protocol, and by a trial run of all steps at `chain`. Nothing is signed or sent, so it may be repeated.
   * @param onAnswer called when the provider has answered, before the chain is read
   * @throws SwapProviderError `unsafe_answer` if a step could bring less than the minimum, or move another
   *   asset; `price_moved` if the trial run brings less; ActionRefusedError, ProviderError
   */
  prepare(question: SwapQuestion, chain: ChainSwapping, onAnswer?: () => void): Promise<PreparedSwap>
}

export const swapProviderNames = ['0x', 'jupiter'] as const
export type SwapProviderName = (typeof swapProviderNames)[number]

export interface PriceQuestion {
  /** The chain's identity, as its registry entry has it. */
  network: string
  /** Normal forms; the coin in the provider's own form. */
  sellToken: string
  buyToken: string
  /** Base units of the token to sell. */
  sellAmount: bigint
  slippageBps: number
}

export interface SwapQuestion extends PriceQuestion {
  /** Normal forms: the sender, who signs and pays the fees, and the recipient. They may be the same. */
  from: string
  to: string
  /**
   * Base units of the token to sell that swaps of the sender which are under way may still take of its
   * allowance; absent: zero.
   */
  promised?: bigint
}

export interface PreparedSwap {
  /** As the provider reports it; `checkPrice` has checked it. */
  price: PriceAnswer
  /**
   * Of the platform: `minimumOf` the quoted amount. The chain itself enforces at least this. Base units of
   * the token to buy.
   */
  minBuyAmount: bigint
  /** Solana: what opening accounts costs, in base units of the coin. Null on other chains. */
  rent: bigint | null
  /** One to three, in the order of their nonces; the last one is the swap. */
  steps: readonly PreparedStep[]
  /** When the provider got the request: an old quote is not signed. */
  askedAt: Date
}

export interface PreparedStep {
  purpose: 'swap-approval' | 'swap'
  /**
   * Calls of the sender; `spends` names what leaves it, `receives` only what reaches the recipient at least.
   */
  action: Action
  /**
   * Under the conditions after the steps before it. Its terms hold all that a signature needs (Solana: the
   * lookup tables that were read).
   */
  plan: ActionPlan
}

/** The provider's answer. `checkPrice` checks that it is one to the question. */
export interface PriceAnswer {
  sellToken: string
  buyToken: string
  /** Base units. */
  sellAmount: bigint
  buyAmount: bigint
  minBuyAmount: bigint
  /** Only of EVM chains; null without an estimate. */
  estimatedGas: string | null
  /** The documented fields of its answer, without what could be executed. */
  data: Readonly<Record<string, JsonValue>>
}

/** The providers of this deployment; null: it has no key of it. */
export interface SwapProviders {
  evm: SwapProvider | null
  solana: SwapProvider | null
  /** Counts a request and its outcome. */
  observe(provider: SwapProviderName, outcome: SwapOutcome, seconds: number): void
}

export type SwapProblem =
  | 'no_liquidity'
  | 'token_not_supported'
  /** It does not trade this, for another reason: `code` is its own term. */
  | 'provider_refused'
  /** An answer to another question, or one that would bring less than was requested. */
  | 'unsafe_answer'
  /** The trial run of a swap brings less than the minimum: the price has moved since the quote. */
  | 'price_moved'
  /** It does not answer, or not in time, or with an error of its own. */
  | 'unavailable'
  | 'throttled'
  /** An answer in another form than documented. */
  | 'malformed'

/** `busy`: not requested, because the requests of this second are used up. */
export type SwapOutcome = 'ok' | 'busy' | SwapProblem

/** Every outcome that `cowry_swap_requests_total` counts. */
export const swapOutcomes = Object.keys({
  ok: true,
  busy: true,
  no_liquidity: true,
  token_not_supported: true,
  provider_refused: true,
  unsafe_answer: true,
  price_moved: true,
  unavailable: true,
  throttled: true,
  malformed: true,
} satisfies Record<SwapOutcome, true>)

/**
 * A swap provider did not serve a request. The message is safe to log and to show: it holds no secret, and no
 * text of the provider but its code.
 */
export class SwapProviderError extends BaseError {
  readonly code = 'swap_provider_failed'
  readonly retry: Retry
  readonly problem: SwapProblem
  readonly retryAfterSeconds: number | null
  constructor(problem: SwapProblem, message: string, retryAfterSeconds: number | null = null) {
    super(message, { publicText: message })
    this.retry = problem === 'unavailable' || problem === 'throttled' ? 'yes' : 'no'
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}
