import { ApiError } from '../platform/errors.ts'
import type { Outflow } from './outflow.ts'

export const revisionOutdated = ({ revision }: Outflow): ApiError =>
  new ApiError(409, 'revision_outdated', `The payout has changed since: its revision is ${revision} now`)
