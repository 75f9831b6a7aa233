import { fits, type Part, skip, take, type Walk } from './walk.ts'

const pictures = ['VP8 ', 'VP8L']
const others = ['VP8X', 'ALPH', 'ICCP', 'EXIF', 'XMP ']

/**
 * The chunks of a WebP (RFC 9649, section 2). A picture has one frame: animations are not taken, nor chunks
 * that the RFC does not know.
 */
export function* walkWebp(): Walk {
  const riff = yield* take(12)
  let left = riff.readUInt32LE(4) - 4
  let found = 0
  while (left > 0) {
    if (left < 8) return false
    const head = yield* take(8)
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    left -= 8
    if (length > left || !(pictures.includes(name) || others.includes(name))) return false
    const used = yield* sizeOf(name, length)
    if (used === null) return false
    if (pictures.includes(name)) found++
    // Chunks start at even places.
    const padded = Math.min(length + (length % 2), left)
    yield* skip(padded - used)
    left -= padded
  }
  return found === 1
}

/**
 * Reads the size in pixels of the chunks that have one. @returns the bytes that it read; null for a size that
 * is not taken
 */
function* sizeOf(name: string, length: number): Part<number | null> {
  if (name === 'VP8X') {
    if (length < 10) return null
    const data = yield* take(10)
    return fits(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1) ? 10 : null
  }
  if (name === 'VP8 ') {
    if (length < 10) return null
    const data = yield* take(10)
    const isKeyFrame = data.readUIntBE(3, 3) === 0x9d012a
    return isKeyFrame && fits(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff) ? 10 : null
  }
  if (name !== 'VP8L') return 0
  if (length < 5) return null
  const data = yield* take(5)
  const bits = data.readUInt32LE(1)
  return data[0] === 0x2f && fits((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1) ? 5 : null
}
