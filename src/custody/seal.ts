import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Secret } from '../platform/secrets.ts'

const nonceBytes = 12
const tagBytes = 16

const made = new WeakMap<Secret<Uint8Array>, KeyObject>()

/**
 * The key as node:crypto takes it at once: bytes cost 9 µs at each use, which is more than sealing a short
 * text.
 */
export function keyObjectOf(key: Secret<Uint8Array>): KeyObject {
  const known = made.get(key)
  if (known) return known
  const object = createSecretKey(key.reveal())
  made.set(key, object)
  return object
}

/**
 * Seals bytes with AES-256-GCM: `nonce | ciphertext | tag`.
 * @param context bound to the result: opening under another context fails, so sealed rows cannot be swapped
 */
export function seal(key: Secret<Uint8Array>, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @throws when key or context differ, or a single bit was changed */
export function open(key: Secret<Uint8Array>, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes.length < nonceBytes + tagBytes) throw new Error('too short to be sealed')
  const decipher = createDecipheriv('aes-256-gcm', keyObjectOf(key), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(bytes.length - tagBytes))
  return Buffer.concat([
    decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)),
    decipher.final(),
  ])
}
