import { ProviderError } from './chain.ts'
import type { Endpoint, Providers } from './providers/providers.ts'

/** Ten minutes. Our clock may be wrong by it, too. */
const maxSkewMs = 600_000

/**
 * Refuses a node's time of the chain that differs much from this machine's clock, where another node
 * contradicts it and no node agrees. Transactions expire by that time: one too late would keep a lost
 * transaction open, one too early would refuse each. That node alone is doubted.
 * @param time in milliseconds
 * @param timeOf reads the same from another node
 * @throws ProviderError
 */
export async function requirePlausibleTime<E extends Endpoint>(
  providers: Pick<Providers<E>, 'ask' | 'doubt'>,
  { name }: Pick<E, 'name'>,
  time: number,
  timeOf: (endpoint: E) => Promise<number>,
): Promise<void> {
  if (Math.abs(time - Date.now()) <= maxSkewMs) return
  let isContradicted = false
  const agrees = async (other: E): Promise<true | null> => {
    if (Math.abs((await timeOf(other)) - time) <= maxSkewMs) return true
    isContradicted = true
    return null
  }
  const isAgreed = await providers
    .ask(agrees, (other) => other !== name)
    .catch((error: unknown) => {
      if (error instanceof ProviderError) return null
      throw error
    })
  if (isAgreed || !isContradicted) return
  providers.doubt(name)
  throw new ProviderError(
    `${name} reports the time ${new Date(time).toISOString()} of the chain, and no other node does`,
  )
}
