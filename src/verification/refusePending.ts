import { ApiError } from '../platform/errors.ts'
import type { VerificationContext } from './context.ts'
import type { StoredRequest } from './model.ts'
import { statusUrl } from './presentVerification.ts'

/** @throws ApiError 402 with `pending` for a request that is stored and waits for credit */
export function refusePending(ctx: Pick<VerificationContext, 'verifyUrl'>, row: StoredRequest): void {
  if (row.status !== 'pending_credit') return
  const credit = { pending: true, statusUrl: statusUrl(ctx, row) }
  throw new ApiError(
    402,
    'insufficient_credit',
    'It is stored, and goes on when you have credit: do not send another one',
    { credit },
  )
}
