import { ProviderError } from '../chain.ts'
import type { Broadcast } from '../sending.ts'
import { ThrottledError } from './budget.ts'
import type { Endpoint, Providers } from './providers.ts'

/** Precedence of answers: one node's pool may be full, or its state stale, while another one knows better. */
const order = ['nonce_used', 'nonce_taken', 'expired', 'busy', 'refused', 'underpriced'] as const

/**
 * Broadcasts a transaction to one provider after another until one accepts it.
 * @param send throws if the provider does not report a result
 * @throws ProviderError if one may have accepted it without reporting that: the other answers prove nothing
 * then
 */
export async function broadcastByProviders<E extends Endpoint>(
  providers: Providers<E>,
  send: (endpoint: E) => Promise<Broadcast>,
): Promise<Broadcast> {
  const answers: Broadcast[] = []
  let doubts = 0
  const outcome = await providers
    .ask(async (endpoint) => {
      try {
        const answer = await send(endpoint)
        if (answer.status === 'accepted') return answer
        answers.push(answer)
        return null
      } catch (error) {
        // Not sent, or refused by rate: no node has processed it.
        if (error instanceof ThrottledError) answers.push({ status: 'busy', message: 'too many requests' })
        else doubts++
        throw error
      }
    })
    .catch((error: unknown) => {
      if (error instanceof ProviderError) return error
      throw error
    })
  if (outcome !== null && !(outcome instanceof ProviderError)) return outcome
  const answer = order.flatMap((status) => answers.filter((each) => each.status === status))[0]
  if (answer && doubts === 0) return answer
  throw (
    outcome ?? new ProviderError('one provider refused the transaction, another one did not report a result')
  )
}
