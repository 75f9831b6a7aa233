import { ed25519 } from '@noble/curves/ed25519.js'
import { decodeStrKey } from './strkey.ts'

/** Bytes of an account's key; in a muxed address an id follows. */
const keyBytes = 32

/**
 * Why no one can sign for a Stellar address; null where there may be a key. The key of an account is its
 * address, and other signers are added by it alone. Contracts have code that signs.
 */
export function stellarKeyless(address: string): string | null {
  const decoded = decodeStrKey(address)
  if (!decoded || decoded.kind === 'contract') return null
  return isPublicKey(decoded.payload.subarray(0, keyBytes)) ? null : 'is not the public key of any account'
}

/**
 * A point of the curve that a secret key can have made: points of small order, as 32 zero bytes, are refused
 * by signers (libsodium).
 */
function isPublicKey(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(Uint8Array.from(bytes)).isSmallOrder()
  } catch {
    return false
  }
}
