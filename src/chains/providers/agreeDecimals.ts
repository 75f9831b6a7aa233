import { ProviderError } from '../chain.ts'
import type { Endpoint, Providers } from './providers.ts'
import { queryEvery } from './queryEvery.ts'

/**
 * Decimals of tokens, by every provider: amounts of requests are read with them, so that one wrong answer
 * must not decide. Of several providers, at least two must agree, and more than disagree.
 * @param read the decimals in the order of the tokens; null: not a token
 * @throws ProviderError where they do not agree, or too few answer
 */
export async function agreedDecimals<E extends Endpoint>(
  providers: Pick<Providers<E>, 'names' | 'ask'>,
  read: (endpoint: E) => Promise<(number | null)[]>,
): Promise<(number | null)[]> {
  const { answers, failure } = await queryEvery(providers, read)
  const enough = Math.min(2, providers.names.length)
  const [first] = answers
  if (first === undefined || answers.length < enough)
    throw failure ?? new ProviderError('too few providers answered about decimals')
  return first.map((_, index) =>
    agreed(
      answers.map((each) => each[index] ?? null),
      enough,
    ),
  )
}

function agreed(decimals: readonly (number | null)[], enough: number): number | null {
  const votes = (value: number | null) => decimals.filter((each) => each === value).length
  const [best = null] = [...decimals].sort((a, b) => votes(b) - votes(a))
  if (votes(best) < enough || votes(best) * 2 <= decimals.length)
    throw new ProviderError('providers disagree about the decimals of a token')
  return best
}
