import type { SwapProviderName } from './provider.ts'

/**
 * A swap that would bring less than its minimum: `TooMuchSlippage` of 0x's Settlers,
 * `SlippageToleranceExceeded` of Jupiter's program.
 */
const slippageErrors: Record<SwapProviderName, RegExp> = {
  '0x': /custom error 0x97a6f3b9/i,
  jupiter: /custom program error:? 0x1771\b/i,
}

/** Why a swap failed, as text where the chain has a number. */
export function failureMessage(provider: SwapProviderName, message: string | null): string | null {
  if (message === null || !slippageErrors[provider].test(message)) return message
  return `the price moved by more than the slippage allows (${message})`
}
