import type { MintProblem } from '../bridging.ts'
import { ProviderError } from '../chain.ts'

/** The problem of a message, by one provider. */
export interface Tried {
  source: string
  problem: MintProblem | null
}

/**
 * One provider that can mint is enough: the treasury tries again before it signs. Two must refuse.
 * @param alone the provider that suffices
 * @throws ProviderError where too few have answered
 */
export function agreedProblem(tried: readonly Tried[], alone: string | null | undefined): MintProblem | null {
  const [first] = tried
  if (!first || tried.some(({ problem }) => problem === null)) return null
  if (tried.some(({ problem }) => problem === 'used')) return 'used'
  if (tried.length === 1 && first.source !== alone) throw new ProviderError('one provider alone refuses a mint')
  return tried.some(({ problem }) => problem === 'expired') ? 'expired' : first.problem
}
