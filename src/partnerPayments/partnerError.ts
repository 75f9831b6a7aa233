import { BaseError, type Retry } from '../platform/errors.ts'

/**
 * What is known after a failed request to a partner:
 * - `refused`: the partner answered no, and nothing changed. `partnerCode` is its own term for the reason.
 * - `throttled`: too many requests; nothing changed.
 * - `unavailable`: no usable answer, to a request that changes nothing.
 * - `invalid_answer`: an answer that cannot be trusted, to a request that changes nothing.
 * - `outcome_unknown`: the request may have been carried out. Only the partner knows: query it with the
 * sequence id.
 */
export type PartnerProblem = 'refused' | 'throttled' | 'unavailable' | 'invalid_answer' | 'outcome_unknown'

const retryAfter: Record<PartnerProblem, Retry> = {
  refused: 'no',
  throttled: 'yes',
  unavailable: 'yes',
  invalid_answer: 'no',
  outcome_unknown: 'unknown',
}

/**
 * A request to a partner failed. The message is safe to log: it holds no secret, and no text that the partner
 * or a customer wrote.
 */
export class PartnerError extends BaseError {
  readonly code = 'partner_failed'
  readonly retry: Retry
  readonly problem: PartnerProblem
  /** The partner's code of a refusal; null where it gave no usable one. */
  readonly partnerCode: string | null
  readonly retryAfterSeconds: number | null
  /** Of a refusal: the partner has something with this sequence id already. */
  readonly isDuplicate: boolean
  constructor(
    problem: PartnerProblem,
    message: string,
    { partnerCode = null, retryAfterSeconds = null, isDuplicate = false }: PartnerErrorDetails = {},
  ) {
    super(message)
    this.retry = retryAfter[problem]
    this.problem = problem
    this.partnerCode = partnerCode
    this.retryAfterSeconds = retryAfterSeconds
    this.isDuplicate = isDuplicate
  }
}

interface PartnerErrorDetails {
  partnerCode?: string | null
  retryAfterSeconds?: number | null
  isDuplicate?: boolean
}
