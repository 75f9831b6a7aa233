import { createHmac, createSecretKey, type KeyObject, sign } from 'node:crypto'
import type { Secret } from '../platform/secrets.ts'
import { signingKey } from './secret.ts'

/**
 * Headers of one attempt by the Standard Webhooks specification, signed over `id.timestamp.body`: `v1` and
 * the base64 HMAC-SHA-256, or `v1a` and the base64 ed25519 signature, by the kind of the secret.
 * @param id the event's id, the same for every attempt: receivers deduplicate by it
 * @param previous also signs while a rotation overlaps; receivers accept either
 */
export function signatureHeaders(
  secret: Secret,
  id: string,
  at: Date,
  body: string,
  previous: Secret | null = null,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString()
  const signed = `${id}.${timestamp}.${body}`
  const signatures =
    previous === null
      ? signatureOf(secret, signed)
      : `${signatureOf(secret, signed)} ${signatureOf(previous, signed)}`
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures }
}

function signatureOf(secret: Secret, signed: string): string {
  const key = keyOf(secret)
  if (key.type === 'private') return `v1a,${sign(null, Buffer.from(signed), key).toString('base64')}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Node takes six times as long for an HMAC with bytes as with a key that it has made of them. */
const keys = new WeakMap<Secret, KeyObject>()

function keyOf(secret: Secret): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  const text = secret.reveal()
  const key = text.startsWith('whsk_')
    ? signingKey(secret)
    : createSecretKey(Buffer.from(text.replace(/^whsec_/, ''), 'base64'))
  keys.set(secret, key)
  return key
}
