import { keysOf } from '../platform/appKey.ts'
import { Secret } from '../platform/secrets.ts'
import { bytesOf, subkeyOf } from '../platform/subkeys.ts'
import { open, seal } from './seal.ts'

const sealingKeys = new WeakMap<Secret, Secret<Uint8Array>>()

function sealingKey(key: Secret): Secret<Uint8Array> {
  const known = sealingKeys.get(key)
  if (known) return known
  const made = new Secret<Uint8Array>(subkeyOf(key, 'seal'))
  sealingKeys.set(key, made)
  return made
}

/**
 * Seals a text with the application's key, by a subkey that only seals.
 * @param context names its row: sealed texts cannot be swapped between rows
 */
export const sealText = (appKey: Secret, context: string, text: Secret): Buffer =>
  sealBytes(appKey, context, Buffer.from(text.reveal()))

/**
 * Opens also what the application's second key has sealed, and what versions before the subkeys sealed with
 * the key itself.
 * @throws when keys or context differ, or a single bit was changed
 */
export const openText = (appKey: Secret, context: string, sealed: Uint8Array): Secret =>
  new Secret(openBytes(appKey, context, sealed).toString())

/** As `sealText`, of bytes. */
export const sealBytes = (key: Secret, context: string, bytes: Uint8Array): Buffer =>
  seal(sealingKey(key), bytes, context)

/** As `openText`, of bytes. */
export function openBytes(appKey: Secret, context: string, sealed: Uint8Array): Buffer {
  const keys = keysOf(appKey).flatMap((key) => [sealingKey(key), new Secret<Uint8Array>(bytesOf(key))])
  for (const key of keys) {
    try {
      return open(key, sealed, context)
    } catch (error) {
      if (key === keys.at(-1)) throw error
    }
  }
  throw new Error('there is no key to open with')
}

/** True if this key's subkey alone opens it. */
export function opensWith(key: Secret, context: string, sealed: Uint8Array): boolean {
  try {
    open(sealingKey(key), sealed, context)
    return true
  } catch {
    return false
  }
}
