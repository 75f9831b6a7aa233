import { hkdfSync } from 'node:crypto'
import type { Secret } from './secrets.ts'

/** One key for each purpose, so that no key serves two algorithms. */
export type SubkeyPurpose = 'seal' | 'device-cookie' | 'quote' | 'checkout' | 'unsubscribe'

const known = new WeakMap<Secret, Map<SubkeyPurpose, Buffer>>()

/** A key of 32 bytes that is derived from the application's key, with HKDF (RFC 5869). */
export function subkeyOf(key: Secret, purpose: SubkeyPurpose): Buffer {
  const ofKey = known.get(key) ?? new Map<SubkeyPurpose, Buffer>()
  known.set(key, ofKey)
  const subkey =
    ofKey.get(purpose) ?? Buffer.from(hkdfSync('sha256', bytesOf(key), '', `cowry/${purpose}/v1`, 32))
  ofKey.set(purpose, subkey)
  return subkey
}

/** The application's key itself, with which versions before the subkeys sealed and signed. */
export const bytesOf = (key: Secret): Buffer => Buffer.from(key.reveal(), 'base64')
