import type { JsonValue } from './json.ts'

/** The port of a swap provider: it prices a pair of tokens on one family of chains. */
export interface SwapProvider {
  name: SwapProviderName
  /** The requests that it takes in a second, over all processes. */
  perSecond: number
  /**
   * The present price. It changes nothing, so it may be repeated.
   * @throws SwapProviderError
   */
  price(question: PriceQuestion): Promise<PriceAnswer>
}

export type SwapProviderName = '0x' | 'jupiter'

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

/** What the provider says. `checkPrice` decides whether it answers the question. */
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
  /** It does not trade this, for another reason: `code` is its own word. */
  | 'provider_refused'
  /** An answer to another question, or one that would bring less than was asked for. */
  | 'unsafe_answer'
  /** It does not answer, or not in time, or with an error of its own. */
  | 'unavailable'
  | 'throttled'
  /** An answer in another form than documented. */
  | 'malformed'

/** `busy`: not asked, because the requests of this second are used up. */
export type SwapOutcome = 'ok' | 'busy' | SwapProblem

/** Its message is safe to log and to show: it holds no secret, and no text of the provider but its code. */
export class SwapProviderError extends Error {
  readonly problem: SwapProblem
  readonly retryAfterSeconds: number | null
  constructor(problem: SwapProblem, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'SwapProviderError'
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}
