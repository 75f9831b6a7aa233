import { ApiError } from '../platform/errors.ts'
import { ProviderError } from './chain.ts'

/** Maps a ProviderError to 503 `chain_unavailable`; other errors stay unchanged. */
export function asUnavailable(chain: string, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  return new ApiError(503, 'chain_unavailable', `No node of ${chain} answers now`, {
    retryAfterSeconds: 5,
    cause: error,
  })
}
