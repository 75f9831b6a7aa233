import { askEvery } from './askEvery.ts'
import { ProviderError } from './chain.ts'
import type { Endpoint, Providers } from './providers/providers.ts'

/**
 * The answer on which providers agree, where one wrong answer must not decide. Of several providers, at least two must agree, and more than disagree.
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
  const { answers, failure } = await askEvery(providers, read)
  const enough = Math.min(2, providers.names.length)
  if (answers.length < enough || answers.length === 0) throw failure ?? new ProviderError(`too few providers answered about ${what}`)
  const [backing = []] = [...Map.groupBy(answers, nameOf).values()].sort((a, b) => b.length - a.length)
  const [agreed] = backing
  if (agreed === undefined || backing.length < enough || backing.length * 2 <= answers.length)
    throw new ProviderError(`providers disagree about ${what}`)
  return agreed
}
