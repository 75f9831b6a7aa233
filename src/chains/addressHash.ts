import { keccak_256 } from '@noble/hashes/sha3.js'

// Common parts of EVM and Tron addresses.

/** The hex digits of a key's address, without prefix. @param publicKey uncompressed, 65 bytes */
export const addressDigits = (publicKey: Uint8Array): string =>
  Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex')

/** EIP-55: a letter is upper case where the hash of the lower-case digits has 8 or more at its place. */
export function checksummedDigits(digits: string): string {
  const lower = digits.toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(lower, 'latin1'))).toString('hex')
  return lower.replace(/[a-f]/g, (letter, index: number) =>
    (hash[index] ?? '') >= '8' ? letter.toUpperCase() : letter,
  )
}
