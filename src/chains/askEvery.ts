import type { Endpoint, Providers } from './providers/providers.ts'

/** Asks every provider and waits for all answers. @returns the first failure, if any, and the answers that are not null */
export async function askEvery<E extends Endpoint, T>(
  providers: Pick<Providers<E>, 'names' | 'ask'>,
  ask: (endpoint: E) => Promise<T | null>,
): Promise<{ answers: T[]; failure: unknown }> {
  const asked = await Promise.allSettled(providers.names.map((each) => providers.ask(ask, (name) => name === each)))
  const answers = asked.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []))
  const [failure] = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  return { answers, failure }
}
