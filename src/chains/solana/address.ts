import { base58 } from '@scure/base'
import type { AddressCodec } from '../chain.ts'

/** A public key: 32 bytes, at most 44 characters in base58. */
const [keyBytes, maxCharacters] = [32, 44]
const signatureBytes = 64

function hasBytes(text: string, bytes: number): boolean {
  try {
    // Reject long texts first: decoding base58 is quadratic in the length.
    return text.length <= 2 * bytes && base58.decode(text).length === bytes
  } catch {
    return false
  }
}

/** A transaction's id is its first signature, in base58. */
export const isSolanaSignature = (text: string): boolean => hasBytes(text, signatureBytes)

/**
 * Solana addresses: the owner's public key in base58, everywhere. Matched by characters, not by the 32 bytes:
 * a block has thousands of addresses, and decoding them takes longer than all other work on the block.
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
