import { createHmac } from 'node:crypto'
import type { Secret } from '../platform/secrets.ts'

/**
 * Headers of one attempt by the Standard Webhooks specification, symmetric scheme: `v1` and the base64
 * HMAC-SHA-256 of `id.timestamp.body`, keyed with the bytes behind `whsec_`.
 * @param id the event's, the same at every attempt: receivers deduplicate by it
 */
export function signatureHeaders(secret: Secret, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString()
  const key = Buffer.from(secret.reveal().replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
