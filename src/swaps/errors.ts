import { ApiError } from '../platform/errors.ts'
import type { SwapProblem, SwapProviderError, SwapProviderName } from './provider.ts'

/** Shown to the caller of a request that the provider did not take. */
const messages: Partial<Record<SwapProblem, string>> = {
  no_liquidity: 'No route has enough liquidity for this swap',
  token_not_supported: 'The provider does not trade one of these tokens',
  provider_refused: 'The provider refuses this swap',
  price_moved: 'The price has moved by more than the slippage allows; nothing was sent',
  unsafe_answer: "The provider's answer does not match the request, and was not used",
}

/** Seconds until the next try, by default. */
const retrySeconds = 5

/** The answer to a request that failed at the provider. */
export function failedAtProvider(provider: SwapProviderName, error: SwapProviderError): ApiError {
  const { problem, retryAfterSeconds } = error
  const message = messages[problem]
  if (message !== undefined) return new ApiError(422, problem, message, { cause: error })
  return unavailable(provider, retryAfterSeconds ?? retrySeconds, error)
}

export function unavailable(
  provider: SwapProviderName,
  retryAfterSeconds: number,
  cause?: unknown,
): ApiError {
  const message = `${provider} cannot be asked right now; send it again`
  return new ApiError(503, 'partner_unavailable', message, { retryAfterSeconds, cause })
}

/** A minimum of zero would let a swap bring nothing at all. */
export function buysNothing(): ApiError {
  const message = 'is too small: less the slippage, it buys nothing'
  return new ApiError(422, 'no_liquidity', `amount: ${message}`, { fields: [{ field: 'amount', message }] })
}

export function belowMinimum(): ApiError {
  const message = 'is more than the price less the slippage guarantees; nothing was sent'
  return new ApiError(422, 'price_moved', `minBuyAmount: ${message}`, {
    fields: [{ field: 'minBuyAmount', message }],
  })
}

export const tokenNotSupported = (field: string, message: string): ApiError =>
  new ApiError(422, 'token_not_supported', `${field}: ${message}`, { fields: [{ field, message }] })

/** @param hasProvider false: no provider trades on the chain at all */
export function notSupported(chain: string, hasProvider: boolean): ApiError {
  const message = hasProvider
    ? `has no swaps on this deployment: it has no key of the provider of ${chain}`
    : `has no swaps: no provider trades on ${chain}`
  const fields = [{ field: 'chain', message }]
  return new ApiError(400, 'swap_not_supported', `chain: ${message}`, { fields })
}
