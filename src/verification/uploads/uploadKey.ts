import { randomBytes } from 'node:crypto'
import { open, seal } from '../../custody/seal.ts'
import { Secret } from '../../platform/secrets.ts'
import { subkeyOf } from '../../platform/subkeys.ts'

type Bytes = Secret<Uint8Array>

const sealingKey = (verifyKey: Secret): Bytes => new Secret<Uint8Array>(subkeyOf(verifyKey, 'seal'))
const keyContext = (id: string) => `cowry/verification-upload-key/v1/${id}`

/** What the frames of an upload's file are bound to. */
export const fileContext = (id: string) => `cowry/verification-upload/v1/${id}`

/** A random key for one file. Destroying it erases the file, also in copies of the folder. */
export function newUploadKey(verifyKey: Secret, id: string): { key: Bytes; sealed: Buffer } {
  const bytes = randomBytes(32)
  return { key: new Secret<Uint8Array>(bytes), sealed: seal(sealingKey(verifyKey), bytes, keyContext(id)) }
}

/** @throws Error with another key, or if a bit was changed */
export const openUploadKey = (verifyKey: Secret, id: string, sealed: Buffer): Bytes =>
  new Secret<Uint8Array>(open(sealingKey(verifyKey), sealed, keyContext(id)))
