import { ProviderError } from './chain.ts'
import { ThrottledError } from './providers/budget.ts'
import type { Endpoint, Providers } from './providers/providers.ts'
import type { Broadcast } from './sending.ts'

/** Of several answers the one that counts: one node's pool may be full, or its state behind, while another one knows better. */
const order = ['sequence_used', 'sequence_taken', 'expired', 'busy', 'refused'] as const

/**
 * Tells one provider after another of a transaction until one has it.
 * @param tell throws where that provider does not say what it did with it
 * @throws ProviderError where one may have it and did not say so: whatever the others said is no proof then
 */
export async function broadcastByProviders<E extends Endpoint>(
  providers: Providers<E>,
  tell: (endpoint: E) => Promise<Broadcast>,
): Promise<Broadcast> {
  const answers: Broadcast[] = []
  let doubts = 0
  const outcome = await providers
    .ask(async (endpoint) => {
      try {
        const answer = await tell(endpoint)
        if (answer.status === 'accepted') return answer
        answers.push(answer)
        return null
      } catch (error) {
        // It was held back, here or there, before anybody looked at it.
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
  throw outcome ?? new ProviderError('one provider refused the transaction, another one did not say what it did with it')
}
