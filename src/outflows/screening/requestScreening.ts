import { z } from 'zod'
import type { Dispatcher } from '../../platform/http/undici.ts'
import type { Secret } from '../../platform/secrets.ts'
import { attemptDelivery } from '../../webhooks/attempt.ts'

/** The operator's service that decides if an outflow may leave. */
export interface Screening {
  url: string
  secret: Secret
  dispatcher: Dispatcher
  timeoutMs: number
}

/** Reasons are shown to the business. */
const answer = z.object({
  decision: z.enum(['allow', 'hold', 'deny']),
  reason: z.string().max(200).optional(),
})
export type ScreeningAnswer = z.infer<typeof answer>

/**
 * Sends one request, signed as webhooks are. A redirect is not followed. No answer, and any answer that is
 * not understood, is a hold.
 * @param id the same for each question about one outflow
 */
export async function requestScreening(
  { url, secret, dispatcher, timeoutMs }: Screening,
  id: string,
  body: object,
): Promise<ScreeningAnswer> {
  const hold: ScreeningAnswer = { decision: 'hold' }
  const { outcome, responseBody } = await attemptDelivery(
    { dispatcher, timeoutMs },
    { url, secret, id, body: JSON.stringify(body) },
  )
  if (outcome !== 'delivered' || responseBody === null) return hold
  try {
    return answer.safeParse(JSON.parse(responseBody)).data ?? hold
  } catch {
    return hold
  }
}
