import { ProviderError } from '../chain.ts'
import type { Endpoint, Providers } from './providers.ts'
import { queryEvery } from './queryEvery.ts'

/**
 * The answer on which providers agree, where one wrong answer must not decide. Of several providers, at least
 * two must agree, and more than disagree.
 * @param nameOf equal for answers that agree
 * @param what in the error
 * @throws ProviderError where they do not agree, or too few answer
 */
export async function agreedAnswer<E extends Endpoint, T extends object>(
  providers: Pick<Providers<E>, 'names' | 'ask'>,
  what: string,
  read: (endpoint: E) => Promise<T>,
  nameOf: (answer: T) => string,
): Promise<T> {
  const [agreed] = await agreedAnswers(providers, what, async (endpoint) => [await read(endpoint)], nameOf)
  if (agreed === undefined || agreed instanceof ProviderError)
    throw agreed ?? new ProviderError(`no provider answered about ${what}`)
  return agreed
}

/**
 * The same for many facts of one call.
 * @param read returns as many answers from each provider, in one order
 * @returns an error for each on which providers do not agree
 * @throws ProviderError where too few answer
 */
export async function agreedAnswers<E extends Endpoint, T extends object>(
  providers: Pick<Providers<E>, 'names' | 'ask'>,
  what: string,
  read: (endpoint: E) => Promise<readonly T[]>,
  nameOf: (answer: T) => string,
): Promise<(T | ProviderError)[]> {
  const { answers, failure } = await queryEvery(providers, read)
  const enough = Math.min(2, providers.names.length)
  const [first] = answers
  if (answers.length < enough || first === undefined)
    throw failure ?? new ProviderError(`too few providers answered about ${what}`)
  return first.map(
    (_, index) =>
      agreedOf(
        answers.flatMap((each) => each[index] ?? []),
        enough,
        nameOf,
      ) ?? new ProviderError(`providers disagree about ${what}`),
  )
}

function agreedOf<T extends object>(
  answers: readonly T[],
  enough: number,
  nameOf: (answer: T) => string,
): T | null {
  const [backing = []] = [...Map.groupBy(answers, nameOf).values()].sort((a, b) => b.length - a.length)
  const [agreed] = backing
  return agreed === undefined || backing.length < enough || backing.length * 2 <= answers.length
    ? null
    : agreed
}
