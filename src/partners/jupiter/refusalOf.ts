import { type SwapProblem, SwapProviderError } from '../../swaps/provider.ts'

/** Codes of errors by https://dev.jup.ag/docs/swap/common-errors; any other one is a refusal, too. */
const problems: Readonly<Record<string, SwapProblem>> = {
  NO_ROUTES_FOUND: 'no_liquidity',
  COULD_NOT_FIND_ANY_ROUTE: 'no_liquidity',
  ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT: 'no_liquidity',
  TOKEN_NOT_TRADABLE: 'token_not_supported',
}

/** Texts of `/build` for which it has no code (its reference: 400 with `error` alone). */
const texts: readonly [RegExp, string][] = [
  [/\bno routes? found\b/i, 'NO_ROUTES_FOUND'],
  [/\bnot tradable\b/i, 'TOKEN_NOT_TRADABLE'],
]

/**
 * The error of an answer that is no success. Only the documented forms, `{ error }` with or without
 * `errorCode`, are refusals.
 */
export function refusalOf(status: number, content: unknown): SwapProviderError {
  const code = codeOf(content) ?? (status === 400 ? codeOfText(content) : null)
  if (code === null || status === 401 || status === 403 || status === 408) {
    return new SwapProviderError('unavailable', `It answered ${status}`)
  }
  return new SwapProviderError(problems[code] ?? 'provider_refused', `It answered ${status}: ${code}`)
}

function codeOf(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || !('errorCode' in content)) return null
  const { errorCode } = content
  return typeof errorCode === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(errorCode) ? errorCode : null
}

function codeOfText(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || !('error' in content) || 'errorCode' in content)
    return null
  const { error } = content
  if (typeof error !== 'string') return null
  return texts.find(([form]) => form.test(error))?.[1] ?? 'BAD_REQUEST'
}
