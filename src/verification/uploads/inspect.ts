import { findZip } from './findZip.ts'
import { startWalk, type Walk, type Walking } from './walk.ts'
import { walkJpeg } from './walkJpeg.ts'
import { pngStart, walkPng } from './walkPng.ts'
import { walkWebp } from './walkWebp.ts'

/** Types of uploads, by their content alone. */
export type UploadType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

/** Enough to know the type. */
const startBytes = 12
/** Programs search for markup, and for the start of a PDF, in so many bytes. */
const headBytes = 1024
const tailBytes = 1024
const markup = /<(?:!doctype|html|script|svg|iframe)/i

export interface Inspection {
  /**
   * @returns the bytes of the piece that belong to the file: no byte after the end of an image, or of a
   *   file that is not taken
   */
  push(piece: Uint8Array): Buffer
  /** The type of the whole file; null for one that is not taken. */
  type(): UploadType | null
}

const walks = { 'image/jpeg': walkJpeg, 'image/png': walkPng, 'image/webp': walkWebp } satisfies Partial<
  Record<UploadType, () => Walk>
>

/**
 * Finds the type of a file while it arrives: by its start, by the structure of an image up to its end, by the
 * end of a PDF. Pixels, and objects of a PDF, are not decoded. A file that opens as a PDF, HTML or ZIP, too,
 * is not taken.
 *
 * Phones append to an image: a second one (CIPA DC-007), the video of a Motion Photo, Samsung's fields,
 * zeros. These start with a byte 0 or 255 and are cut off; other bytes behind the end make it another file,
 * which is not taken.
 */
export function inspect(): Inspection {
  const zip = findZip()
  let start = Buffer.alloc(0)
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let type: UploadType | null = null
  let walking: Walking | null = null
  /** The first byte behind the end. */
  let behind: number | undefined

  function walkOn(piece: Buffer): Buffer {
    if (!walking) return type === null ? piece.subarray(0, 0) : piece
    const used = walking.push(piece)
    behind ??= piece[used]
    return piece.subarray(0, used)
  }

  function keep(piece: Buffer): Buffer {
    const kept = walkOn(piece)
    zip.push(kept)
    if (head.length < headBytes) head = Buffer.concat([head, kept.subarray(0, headBytes - head.length)])
    if (type === 'application/pdf') tail = lastOf(tail, kept)
    return kept
  }

  function isRight(found: UploadType): boolean {
    const text = head.toString('latin1')
    if (markup.test(text) || zip.isZip()) return false
    if (found === 'application/pdf') return /startxref\s+\d+\s+%%EOF[\s\0]*$/.test(tail.toString('latin1'))
    return (
      walking?.outcome() === true &&
      (behind === undefined || behind === 0 || behind === 0xff) &&
      !text.includes('%PDF-')
    )
  }

  return {
    push(given) {
      const piece = Buffer.from(given.buffer, given.byteOffset, given.length)
      if (start.length >= startBytes) return keep(piece)
      start = Buffer.concat([start, piece])
      if (start.length < startBytes) return start.subarray(0, 0)
      type = typeOf(start)
      if (type !== null && type !== 'application/pdf') walking = startWalk(walks[type]())
      return keep(start)
    },
    type: () => (type !== null && isRight(type) ? type : null),
  }
}

function lastOf(tail: Buffer, piece: Buffer): Buffer<ArrayBuffer> {
  if (piece.length >= tailBytes) return Buffer.from(piece.subarray(-tailBytes))
  return Buffer.from(Buffer.concat([tail, piece]).subarray(-tailBytes))
}

function typeOf(start: Buffer): UploadType | null {
  const text = start.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.subarray(0, pngStart.length).equals(pngStart)) return 'image/png'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  return /^%PDF-[12]\.\d/.test(text) ? 'application/pdf' : null
}
