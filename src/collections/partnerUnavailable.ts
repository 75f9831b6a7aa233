import type { PartnerError } from '../partnerPayments/partnerError.ts'
import { ApiError } from '../platform/errors.ts'

/** The answer to a request where the partner cannot be reached. */
export const partnerUnavailable = (cause: PartnerError | null): ApiError =>
  new ApiError(503, 'partner_unavailable', 'The partner does not answer right now; send it again', {
    retryAfterSeconds: cause?.retryAfterSeconds ?? 30,
    cause,
  })
