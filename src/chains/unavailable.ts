import { ApiError } from '../platform/errors.ts'
import { ProviderError } from './chain.ts'

/** 503 `chain_unavailable` where no node could be asked; whatever else went wrong stays what it is. */
export function asUnavailable(chain: string, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  return new ApiError(503, 'chain_unavailable', `No node of ${chain} answers now`, { retryAfterSeconds: 5, cause: error })
}
