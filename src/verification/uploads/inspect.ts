/** Types of uploads, by their content alone. */
export type UploadType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

const headBytes = 256 * 2 ** 10
const tailBytes = 1024
/** An image of more would take more memory than a program that shows it expects. */
const maxPixels = 100_000_000
const markup = /<(?:!doctype|html|script|svg|\?xml|body|iframe)/i

export interface Inspection {
  push(piece: Uint8Array): void
  /** The type of the whole file; null for one that is not taken. */
  type(): UploadType | null
}

/**
 * Finds the type of a file while it arrives, from its start, its size in pixels and its end. A file of two types at once has bytes before its start or
 * after its end, and is not taken. Nothing is decoded.
 */
export function inspect(): Inspection {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let length = 0
  return {
    push(piece) {
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      tail = Buffer.from(Buffer.concat([tail, piece]).subarray(-tailBytes))
      length += piece.length
    },
    type() {
      const type = startOf(head)
      if (type === null || markup.test(head.subarray(0, 1024).toString('latin1'))) return null
      return ends[type](tail, length, head) && sizes[type](head) ? type : null
    },
  }
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const pngEnd = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])

function startOf(head: Buffer): UploadType | null {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (head.subarray(0, 8).equals(pngStart)) return 'image/png'
  if (head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp'
  return /^%PDF-[12]\.\d/.test(head.subarray(0, 8).toString('latin1')) ? 'application/pdf' : null
}

const ends: Record<UploadType, (tail: Buffer, length: number, head: Buffer) => boolean> = {
  'image/jpeg': (tail) => tail.subarray(-2).equals(Buffer.from([0xff, 0xd9])),
  'image/png': (tail) => tail.subarray(-pngEnd.length).equals(pngEnd),
  'image/webp': (_tail, length, head) => head.length >= 12 && head.readUInt32LE(4) + 8 === length,
  'application/pdf': (tail) => /%%EOF\s*$/.test(tail.toString('latin1')),
}

const fits = (width: number, height: number): boolean => width > 0 && height > 0 && width * height <= maxPixels

const sizes: Record<UploadType, (head: Buffer) => boolean> = {
  'image/jpeg': jpegFits,
  'image/png': (head) =>
    head.length >= 24 && head.subarray(12, 16).toString('latin1') === 'IHDR' && fits(head.readUInt32BE(16), head.readUInt32BE(20)),
  'image/webp': webpFits,
  'application/pdf': () => true,
}

/** Walks the segments up to the frame header (ITU T.81, B.1 and B.2.2). */
function jpegFits(head: Buffer): boolean {
  let at = 2
  while (at + 9 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return fits(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5))
    at += 2 + head.readUInt16BE(at + 2)
  }
  return false
}

/** The three forms of a WebP's first chunk (RFC 9649, section 2). */
function webpFits(head: Buffer): boolean {
  if (head.length < 30) return false
  const chunk = head.subarray(12, 16).toString('latin1')
  if (chunk === 'VP8X') return fits(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1)
  if (chunk === 'VP8 ') return fits(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff)
  if (chunk !== 'VP8L' || head[20] !== 0x2f) return false
  const bits = head.readUInt32LE(21)
  return fits((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}
