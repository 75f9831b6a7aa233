import { base32nopad } from '@scure/base'

/**
 * Secret seeds (`S…`, SEP-23): a version byte, 32 bytes, and their checksum, in base32. Separate from address
 * strkeys, so that a secret is never accepted as an address.
 */
const version = 18 << 3
const seedBytes = 32

export function encodeSecretSeed(seed: Uint8Array): string {
  const bytes = Buffer.alloc(1 + seedBytes + 2)
  bytes[0] = version
  bytes.set(seed, 1)
  bytes.writeUInt16LE(checksum(bytes.subarray(0, -2)), bytes.length - 2)
  return base32nopad.encode(bytes)
}

/** @returns null if the text is not a secret seed, or is mistyped */
export function decodeSecretSeed(text: string): Uint8Array | null {
  if (!/^S[A-Z2-7]{55}$/.test(text)) return null
  const bytes = Buffer.from(base32nopad.decode(text))
  if (bytes[0] !== version || bytes.readUInt16LE(bytes.length - 2) !== checksum(bytes.subarray(0, -2)))
    return null
  return Uint8Array.from(bytes.subarray(1, -2))
}

/** CRC-16/XMODEM. */
function checksum(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}
