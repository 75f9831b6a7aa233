import { base58 } from '@scure/base'
import type { AddressCodec } from '../chain.ts'

/** A public key has 32 bytes, which are 44 characters at most in base58. */
const [keyBytes, maxCharacters] = [32, 44]
const signatureBytes = 64

function hasBytes(text: string, bytes: number): boolean {
  try {
    // Longer texts are not looked at: decoding takes time that grows with the square of the length.
    return text.length <= 2 * bytes && base58.decode(text).length === bytes
  } catch {
    return false
  }
}

/** A transaction's id is its first signature, in base58. */
export const isSolanaSignature = (text: string): boolean => hasBytes(text, signatureBytes)

/**
 * Solana addresses: the owner's public key in base58, everywhere. It is matched by its characters, not by its 32 bytes: a block has
 * thousands of them, and decoding each takes longer than all else that is done with the block.
 */
export const solanaAddress: AddressCodec = {
  normalise: (text) => (hasBytes(text, keyBytes) ? text : null),
  display: (address) => address,
  bytes(address) {
    const bytes = Buffer.alloc(maxCharacters)
    bytes.write(address, 'latin1')
    return bytes
  },
}
