import type { MintProblem } from '../bridging.ts'
import { ProviderError } from '../chain.ts'

/** The problem of a message, by one provider. */
export interface Tried {
  source: string
  problem: MintProblem | null
}

const isRefused = (problem: MintProblem | null): boolean => problem !== null && problem !== 'used'

/**
 * What more providers report than not, and at least two: a message is dropped for it. Where they differ, one
 * that can mint is enough, as the treasury tries again before it signs; but a node that lags does not know
 * yet that a message has expired.
 * @param alone the provider that suffices
 * @throws ProviderError where too few agree
 */
export function agreedProblem(tried: readonly Tried[], alone: string | null | undefined): MintProblem | null {
  const problems = tried.map(({ problem }) => problem)
  const isMajority = (count: number) =>
    (count > 1 || (count === 1 && tried.length === 1 && tried[0]?.source === alone)) &&
    count * 2 > tried.length
  if (isMajority(problems.filter((each) => each === null).length)) return null
  if (isMajority(problems.filter((each) => each === 'used').length)) return 'used'
  const isExpired = problems.includes('expired')
  const refusals = problems.filter(isRefused)
  if (isMajority(refusals.length)) return isExpired ? 'expired' : (refusals[0] ?? null)
  if (problems.includes(null) && !isExpired) return null
  throw new ProviderError('too few providers agree on a mint')
}
