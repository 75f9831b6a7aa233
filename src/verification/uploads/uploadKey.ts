import type { Secret } from '../../platform/secrets.ts'
import { newDataKeyOf, openDataKey, uploadKeyContext } from '../dataKey.ts'

type Bytes = Secret<Uint8Array>

/** What the frames of an upload's file are bound to. */
export const fileContext = (id: string) => `cowry/verification-upload/v1/${id}`

/** A random key for one file. Destroying it erases the file, also in copies of the folder. */
export const newUploadKey = (verifyKey: Secret, id: string): { key: Bytes; sealed: Buffer } =>
  newDataKeyOf(verifyKey, uploadKeyContext(id))

/** @throws Error with another key, or if a bit was changed */
export const openUploadKey = (verifyKey: Secret, id: string, sealed: Buffer): Bytes =>
  openDataKey(verifyKey, uploadKeyContext(id), sealed)
