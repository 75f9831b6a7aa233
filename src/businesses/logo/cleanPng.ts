import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'
import { broken, ImageError, requireSize } from './image.ts'

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)
const deflated = promisify<Buffer, { level: number }, Buffer>(deflate)

export const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Samples of a pixel, and the bits that one may have, by colour type (W3C PNG, 11.2.1). */
const colours: Readonly<Record<number, { samples: number; depths: number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
/** Where the passes of an interlaced image start, and their steps (8.1): x, y, step of x, step of y. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const maxFilter = 4

interface Chunk {
  name: string
  data: Buffer
}

/**
 * The same picture as a file of its own: pixels are unpacked, checked and packed again, and of the rest only
 * palette and transparency are taken over.
 * @throws ImageError
 */
export async function cleanPng(file: Buffer): Promise<Buffer> {
  const chunks = chunksOf(file)
  const [header] = chunks
  if (header?.name !== 'IHDR' || header.data.length !== 13) throw broken()
  const { rows, usesPalette } = readHeader(header.data)
  const pixels = await unpack(
    chunks.filter(({ name }) => name === 'IDAT'),
    rows,
  )
  const kept = ['PLTE', 'tRNS'].flatMap((name) => {
    const found = chunks.filter((chunk) => chunk.name === name)
    if (found.length > 1 || found.some(({ data }) => data.length > 768)) throw broken()
    return found
  })
  if (usesPalette && !kept.some(({ name, data }) => name === 'PLTE' && data.length % 3 === 0)) throw broken()
  return Buffer.concat([
    pngStart,
    ...[header, ...kept, { name: 'IDAT', data: await deflated(pixels, { level: 9 }) }].map(chunkBytes),
    chunkBytes({ name: 'IEND', data: Buffer.alloc(0) }),
  ])
}

/** Up to the end of the picture; what is behind it is not taken over. */
function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = pngStart.length; ; ) {
    if (at + 12 > file.length) throw broken()
    const length = file.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > file.length) throw broken()
    const name = file.toString('latin1', at + 4, at + 8)
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) throw broken()
    if (name === 'acTL') throw new ImageError('is an animation')
    // Readers have to know those whose name starts with a capital letter.
    if (/^[A-Z]/.test(name) && !['IHDR', 'PLTE', 'IDAT', 'IEND'].includes(name)) throw broken()
    if (name === 'IEND') return chunks
    chunks.push({ name, data: file.subarray(at + 8, end) })
    at = end + 4
  }
}

/** @returns the bytes of each row, its filter included */
function readHeader(header: Buffer): { rows: number[]; usesPalette: boolean } {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8)
  requireSize(width, height)
  const { samples, depths } = colours[colour] ?? { samples: 0, depths: [] }
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    throw broken()
  const rowsOf = (columns: number, lines: number): number[] =>
    columns === 0 ? [] : Array(lines).fill(1 + Math.ceil((columns * samples * depth) / 8))
  const rows =
    interlace === 0
      ? rowsOf(width, height)
      : passes.flatMap(([x, y, stepX, stepY]) =>
          rowsOf(Math.max(0, Math.ceil((width - x) / stepX)), Math.max(0, Math.ceil((height - y) / stepY))),
        )
  return { rows, usesPalette: colour === 3 }
}

/** Never unpacks more than the header promises. */
async function unpack(parts: Chunk[], rows: readonly number[]): Promise<Buffer> {
  const size = rows.reduce((sum, row) => sum + row, 0)
  const pixels = await inflated(Buffer.concat(parts.map(({ data }) => data)), {
    maxOutputLength: size,
  }).catch(() => {
    throw broken()
  })
  if (pixels.length !== size) throw broken()
  let at = 0
  for (const row of rows) {
    if ((pixels[at] ?? 0) > maxFilter) throw broken()
    at += row
  }
  return pixels
}

function chunkBytes({ name, data }: Chunk): Buffer {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(name, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), data.length + 8)
  return bytes
}
