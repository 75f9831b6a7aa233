import { randomBytes } from 'node:crypto'
import type { SealedColumn } from '../custody/sealedColumn.ts'
import { openBytes, sealBytes } from '../custody/sealText.ts'
import { AppKey } from '../platform/appKey.ts'
import { Secret } from '../platform/secrets.ts'

type Bytes = Secret<Uint8Array>

/** What the key of a request's personal data is bound to. */
export const personKeyContext = (id: string) => `cowry/verification-key/v1/${id}`
/** What the key of an upload's file is bound to. */
export const uploadKeyContext = (id: string) => `cowry/verification-upload-key/v1/${id}`

/** The columns that are sealed with VERIFY_KEY. */
export const verifyKeyColumns: readonly SealedColumn[] = [
  { table: 'verifications', column: 'data_key', context: personKeyContext },
  { table: 'verification_uploads', column: 'data_key', context: uploadKeyContext },
]

/** The key of the verification area. While it is rolled there is a second one, which only opens. */
export const verifyKeyOf = (config: {
  VERIFY_KEY: Secret
  VERIFY_KEY_PREVIOUS: Secret | undefined
}): Secret => new AppKey(config.VERIFY_KEY, config.VERIFY_KEY_PREVIOUS)

/** A random key of data, and the same sealed with VERIFY_KEY. */
export function newDataKeyOf(verifyKey: Secret, context: string): { key: Bytes; sealed: Buffer } {
  const bytes = randomBytes(32)
  return { key: new Secret<Uint8Array>(bytes), sealed: sealBytes(verifyKey, context, bytes) }
}

/** @throws Error with another key, or if a bit was changed */
export const openDataKey = (verifyKey: Secret, context: string, sealed: Buffer): Bytes =>
  new Secret<Uint8Array>(openBytes(verifyKey, context, sealed))
