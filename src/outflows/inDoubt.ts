import { ApiError } from '../platform/errors.ts'
import type { Outflow } from './outflow.ts'

/**
 * Why a payout is `unknown` whose refusal, or end, does not exclude that the partner has a payment of it.
 * Stable.
 */
export const refusalInDoubt = 'refusal_in_doubt'

/**
 * A submission of it had no answer, and the partner's look-up, which may lag, did not know it. It may be
 * submitted again under the same sequence id; its money is not given back before the partner names the
 * payment, or operators end it.
 */
export const isInDoubt = ({ status, outcomeLostAt }: Pick<Outflow, 'status' | 'outcomeLostAt'>): boolean =>
  status === 'pending' && outcomeLostAt !== null

/** A caller may not end an outflow that is in doubt. */
export class OutcomeInDoubtError extends ApiError {
  constructor() {
    super(
      409,
      'payout_not_open',
      'A submission of it had no answer: the partner may have it, and its money is not given back before that is known',
    )
  }
}
