import { base32nopad } from '@scure/base'

/**
 * Strkeys (SEP-23): a version byte, the payload, and a CRC-16 of both, in base32. Not from the SDK, which
 * takes a third of a second to load: every process handles addresses.
 */
const versions = { account: 6 << 3, muxed: 12 << 3, contract: 2 << 3 } as const
const payloadBytes = { account: 32, muxed: 40, contract: 32 } as const
export type StrKeyKind = keyof typeof versions
const kinds = Object.keys(versions) as StrKeyKind[]

export function encodeStrKey(kind: StrKeyKind, payload: Uint8Array): string {
  const bytes = Buffer.alloc(payload.length + 3)
  bytes[0] = versions[kind]
  bytes.set(payload, 1)
  bytes.writeUInt16LE(crc16(bytes.subarray(0, -2)), bytes.length - 2)
  return base32nopad.encode(bytes)
}

/** @returns null if the text is not of the three kinds, or is mistyped */
export function decodeStrKey(text: string): { kind: StrKeyKind; payload: Uint8Array } | null {
  if (text.length > 69) return null
  let bytes: Buffer
  try {
    bytes = Buffer.from(base32nopad.decode(text))
  } catch {
    return null
  }
  const kind = kinds.find((each) => versions[each] === bytes[0])
  if (
    !kind ||
    bytes.length !== payloadBytes[kind] + 3 ||
    bytes.readUInt16LE(bytes.length - 2) !== crc16(bytes.subarray(0, -2))
  )
    return null
  return { kind, payload: bytes.subarray(1, -2) }
}

/** CRC-16/XMODEM: polynomial 0x1021, initial value zero. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
