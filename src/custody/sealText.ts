import { Secret } from '../platform/secrets.ts'
import { open, seal } from './seal.ts'

const bytesOf = (key: Secret) => new Secret<Uint8Array>(Buffer.from(key.reveal(), 'base64'))

/**
 * Seals a text with the application's key.
 * @param context names its row: sealed texts cannot be swapped between rows
 */
export const sealText = (appKey: Secret, context: string, text: Secret): Buffer => seal(bytesOf(appKey), Buffer.from(text.reveal()), context)

/** @throws when key or context differ, or a single bit was changed */
export const openText = (appKey: Secret, context: string, sealed: Uint8Array): Secret => new Secret(open(bytesOf(appKey), sealed, context).toString())
