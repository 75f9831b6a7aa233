import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { openText, sealText } from '../custody/sealText.ts'
import { Secret } from '../platform/secrets.ts'
import { secretContext } from './sealedColumns.ts'

/**
 * `hmac`: a shared secret. `ed25519`: a key that only Cowry has; the receiver verifies with its public key.
 */
export type Signature = 'hmac' | 'ed25519'

/**
 * A new signing secret in the format of Standard Webhooks: `whsec_` (HMAC key) or `whsk_` (ed25519 seed) and
 * 32 bytes in base64.
 */
export const generateWebhookSecret = (signature: Signature = 'hmac'): Secret =>
  new Secret(`${signature === 'hmac' ? 'whsec' : 'whsk'}_${randomBytes(32).toString('base64')}`)

/**
 * @param text also with the prefix `v1,` of the scheme, as some consoles show it
 * @returns a caller's own HMAC secret in the format of Standard Webhooks, with 24 to 64 bytes; null for any
 * other text
 */
export function parseOwnSecret(text: string): Secret | null {
  const base64 = /^(?:v1,)?whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (base64 === undefined) return null
  const bytes = Buffer.from(base64, 'base64')
  // Buffer accepts text that is not base64: other libraries would take another key from it.
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
    ? new Secret(`whsec_${base64}`)
    : null
}

/** Sealed with the application key and bound to its endpoint. */
export const sealWebhookSecret = (key: Secret, endpointId: string, secret: Secret): Buffer =>
  sealText(key, secretContext(endpointId), secret)

export const openWebhookSecret = (key: Secret, endpointId: string, sealed: Uint8Array): Secret =>
  openText(key, secretContext(endpointId), sealed)

// Prefix of an ed25519 seed in PKCS#8, and length of the prefix of its public key in SPKI (RFC 8410).
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiLength = 12

/** The ed25519 key of a `whsk_` secret. */
export function signingKey(secret: Secret): KeyObject {
  const seed = Buffer.from(secret.reveal().replace(/^whsk_/, ''), 'base64')
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}

/** The public part of a secret: `whpk_` and the public key in base64; null for a shared secret. */
export function publicKeyOf(secret: Secret): string | null {
  if (!secret.reveal().startsWith('whsk_')) return null
  const spki = createPublicKey(signingKey(secret)).export({ format: 'der', type: 'spki' })
  return `whpk_${spki.subarray(spkiLength).toString('base64')}`
}
