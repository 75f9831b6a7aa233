import { BaseError, type Retry } from '../../platform/errors.ts'

/**
 * - `refused`: the key is wrong, or may not be used.
 * - `throttled`: the plan's requests are used up.
 * - `unavailable`: no usable answer.
 * - `invalid_answer`: an answer that cannot be trusted.
 */
export type RateFeedProblem = 'refused' | 'throttled' | 'unavailable' | 'invalid_answer'

/** A request to the second source of rates failed. The message is safe to log: it has no key, and no text of theirs. */
export class RateFeedError extends BaseError {
  readonly code = 'rate_feed_failed'
  readonly retry: Retry
  readonly problem: RateFeedProblem
  constructor(problem: RateFeedProblem, message: string) {
    super(`Open Exchange Rates: ${message}`)
    this.problem = problem
    this.retry = problem === 'throttled' || problem === 'unavailable' ? 'yes' : 'no'
  }
}
