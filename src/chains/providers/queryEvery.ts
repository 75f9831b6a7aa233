import { ProviderError } from '../chain.ts'
import type { Endpoint, Providers } from './providers.ts'

/**
 * Queries every provider and waits for all answers. @returns the first failure, if any, and the answers that
 * are not null
 */
export async function queryEvery<E extends Endpoint, T>(
  providers: Pick<Providers<E>, 'names' | 'ask'>,
  ask: (endpoint: E) => Promise<T | null>,
): Promise<{ answers: T[]; failure: unknown }> {
  const asked = await Promise.allSettled(
    providers.names.map((each) => providers.ask(ask, (name) => name === each)),
  )
  const answers = asked.flatMap((each) =>
    each.status === 'fulfilled' && each.value !== null ? [each.value] : [],
  )
  const [failure] = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  return { answers, failure }
}

/** Queries every provider and waits for all answers. @throws ProviderError if none answers */
export async function everyAnswer<E extends Endpoint, T>(
  providers: Pick<Providers<E>, 'names' | 'ask'>,
  ask: (endpoint: E) => Promise<T | null>,
): Promise<T[]> {
  const { answers, failure } = await queryEvery(providers, ask)
  if (answers.length === 0) throw failure ?? new ProviderError('there is no provider')
  return answers
}
