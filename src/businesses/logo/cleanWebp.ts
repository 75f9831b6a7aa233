import { broken, ImageError, requireSize } from './image.ts'

const metadata = ['ICCP', 'EXIF', 'XMP ']
/** Of the flags of VP8X, transparency alone is left (RFC 9649, 2.7). */
const alphaFlag = 0x10

interface Size {
  width: number
  height: number
}

/**
 * The chunks that a still picture needs (RFC 9649, section 2). Its coded data are not decoded.
 * @throws ImageError
 */
export function cleanWebp(file: Buffer): Buffer {
  const kept: Buffer[] = []
  const seen: string[] = []
  let canvas: Size | null = null
  let picture: Size | null = null
  for (const { name, data } of chunksOf(file)) {
    if (name === 'ANIM' || name === 'ANMF') throw new ImageError('is an animation')
    if (metadata.includes(name)) continue
    // In this order, each at most once.
    if (seen.includes(name) || picture !== null) throw broken()
    seen.push(name)
    if (name === 'VP8X') {
      if (seen.length > 1) throw broken()
      const [size, clean] = readCanvas(data)
      canvas = size
      kept.push(chunkBytes(name, clean))
      continue
    }
    if (name === 'ALPH') {
      if (canvas === null) throw broken()
    } else picture = pictureSize(name, data)
    kept.push(chunkBytes(name, data))
  }
  if (picture === null) throw broken()
  if (canvas !== null && (canvas.width !== picture.width || canvas.height !== picture.height)) throw broken()
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** What is behind the length that the file names is not taken over. */
function* chunksOf(file: Buffer): Generator<{ name: string; data: Buffer }> {
  const end = file.readUInt32LE(4) + 8
  if (end > file.length) throw broken()
  for (let at = 12; at < end; ) {
    if (at + 8 > end) throw broken()
    const length = file.readUInt32LE(at + 4)
    const stop = at + 8 + length
    if (stop > end) throw broken()
    yield { name: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, stop) }
    // Chunks start at even places.
    at = stop + (length % 2)
  }
}

function readCanvas(data: Buffer): [Size, Buffer] {
  if (data.length !== 10) throw broken()
  const size = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  requireSize(size.width, size.height)
  const clean = Buffer.from(data)
  clean.writeUInt32LE((data[0] ?? 0) & alphaFlag, 0)
  return [size, clean]
}

function pictureSize(name: string, data: Buffer): Size {
  const size = name === 'VP8 ' ? lossySize(data) : losslessSize(name, data)
  if (size === null) throw broken()
  requireSize(size.width, size.height)
  return size
}

/** The first frame's tag has its length (RFC 6386, 9.1): what is cut off is found. */
function lossySize(data: Buffer): Size | null {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return null
  const tag = data.readUIntLE(0, 3)
  const isKeyFrame = (tag & 1) === 0
  if (!isKeyFrame || 10 + (tag >>> 5) > data.length) return null
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

function losslessSize(name: string, data: Buffer): Size | null {
  if (name !== 'VP8L' || data.length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function chunkBytes(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + data.length + (data.length % 2))
  bytes.write(name, 0, 'latin1')
  bytes.writeUInt32LE(data.length, 4)
  data.copy(bytes, 8)
  return bytes
}
