import type { Outflow } from '../outflows/outflow.ts'
import { ApiError } from '../platform/errors.ts'

/** A payout that may have left, or has ended, is not changed any more. */
export const payoutNotOpen = ({ status }: Outflow): ApiError =>
  new ApiError(409, 'payout_not_open', `The payout is ${status}`)
