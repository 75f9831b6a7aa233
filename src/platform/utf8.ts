import { isUtf8 } from 'node:buffer'

/** The place of the first byte that is not valid UTF-8; null if all are. */
export function brokenUtf8At(bytes: Buffer): number | null {
  if (isUtf8(bytes)) return null
  const again = Buffer.from(bytes.toString('utf8'))
  const at = bytes.findIndex((byte, index) => byte !== again[index])
  return at < 0 ? bytes.length : at
}
