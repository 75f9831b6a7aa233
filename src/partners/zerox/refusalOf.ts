import { type SwapProblem, SwapProviderError } from '../../swaps/provider.ts'

/** Names of errors by https://docs.0x.org/docs/need-help/api-issues; any other one is a refusal, too. */
const problems: Readonly<Record<string, SwapProblem>> = {
  TOKEN_NOT_SUPPORTED: 'token_not_supported',
  INSUFFICIENT_ASSET_LIQUIDITY: 'no_liquidity',
  INTERNAL_SERVER_ERROR: 'unavailable',
}

/**
 * The error of an answer that is no success. Only `{ name, message }`, the documented form, is a refusal: a
 * page of a proxy, or a rejected key, is no report about the swap.
 */
export function refusalOf(status: number, content: unknown): SwapProviderError {
  const name = nameOf(content)
  if (name === null || status === 401 || status === 408) {
    return new SwapProviderError('unavailable', `It answered ${status}`)
  }
  return new SwapProviderError(problems[name] ?? 'provider_refused', `It answered ${status}: ${name}`)
}

function nameOf(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || !('name' in content)) return null
  const { name } = content
  return typeof name === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(name) ? name : null
}
