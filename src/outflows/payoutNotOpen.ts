import { ApiError } from '../platform/errors.ts'
import type { Outflow } from './outflow.ts'

/** A payout that may have left, or has ended, is not changed any more. */
export const payoutNotOpen = ({ status }: Outflow): ApiError =>
  new ApiError(409, 'payout_not_open', `The payout is ${status}`)

export const revisionOutdated = ({ revision }: Outflow): ApiError =>
  new ApiError(409, 'revision_outdated', `The payout has changed since: its revision is ${revision} now`)
