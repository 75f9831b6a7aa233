import { keysOf } from '../platform/appKey.ts'
import { Secret } from '../platform/secrets.ts'
import { open, seal } from './seal.ts'

const bytesOf = (key: Secret) => new Secret<Uint8Array>(Buffer.from(key.reveal(), 'base64'))

/**
 * Seals a text with the application's key.
 * @param context names its row: sealed texts cannot be swapped between rows
 */
export const sealText = (appKey: Secret, context: string, text: Secret): Buffer => seal(bytesOf(appKey), Buffer.from(text.reveal()), context)

/** Opens also what the application's second key has sealed. @throws when keys or context differ, or a single bit was changed */
export function openText(appKey: Secret, context: string, sealed: Uint8Array): Secret {
  const keys = keysOf(appKey)
  for (const key of keys) {
    try {
      return openWith(key, context, sealed)
    } catch (error) {
      if (key === keys.at(-1)) throw error
    }
  }
  throw new Error('there is no key to open with')
}

const openWith = (key: Secret, context: string, sealed: Uint8Array): Secret => new Secret(open(bytesOf(key), sealed, context).toString())

/** True if this key alone opens it. */
export function opensWith(key: Secret, context: string, sealed: Uint8Array): boolean {
  try {
    openWith(key, context, sealed)
    return true
  } catch {
    return false
  }
}
