import { broken, requireSize } from './image.ts'

/** Decoding costs a pass over the picture for each scan; encoders make about ten. */
const maxScans = 40
const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda]
/** Baseline, extended and progressive: what browsers show. */
const frames = [0xc0, 0xc1, 0xc2]
/** Quantization, Huffman tables, restart interval. */
const tables = [0xdb, 0xc4, 0xdd]
/** Adobe's segment says how colours are coded. */
const adobe = 0xee
/** Application segments, and the comment: metadata. */
const isMetadata = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/**
 * The segments that a picture needs (ITU T.81, B.1 and B.2), up to its end. Its coded data are not decoded.
 * @throws ImageError
 */
export function cleanJpeg(file: Buffer): Buffer {
  const kept: Buffer[] = []
  let hasFrame = false
  let scans = 0
  for (const { marker, bytes } of segmentsOf(file)) {
    if (isMetadata(marker) && !isAdobe(marker, bytes)) continue
    if (frames.includes(marker)) {
      if (hasFrame || !isRightFrame(bytes)) throw broken()
      hasFrame = true
    } else if (marker === startOfScan) {
      if (!hasFrame || ++scans > maxScans) throw broken()
    } else if (!tables.includes(marker) && !isMetadata(marker)) throw broken()
    kept.push(bytes)
  }
  if (scans === 0) throw broken()
  return Buffer.concat([Buffer.from([0xff, startOfImage]), ...kept, Buffer.from([0xff, endOfImage])])
}

/** Up to the end of the picture; that of a scan with its coded data. */
function* segmentsOf(file: Buffer): Generator<{ marker: number; bytes: Buffer }> {
  for (let at = 2; ; ) {
    const marker = file[at + 1]
    if (file[at] !== 0xff || marker === undefined) throw broken()
    if (marker === endOfImage) return
    // A byte that fills.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (at + 4 > file.length) throw broken()
    const head = at + 2 + file.readUInt16BE(at + 2)
    if (head < at + 4 || head > file.length) throw broken()
    const end = marker === startOfScan ? endOfScan(file, head) : head
    yield { marker, bytes: file.subarray(at, end) }
    at = end
  }
}

function isRightFrame(segment: Buffer): boolean {
  if (segment.length < 10 || segment[4] !== 8) return false
  requireSize(segment.readUInt16BE(7), segment.readUInt16BE(5))
  const components = segment[9] ?? 0
  return [1, 3, 4].includes(components) && segment.length === 10 + 3 * components
}

const isAdobe = (marker: number, segment: Buffer): boolean =>
  marker === adobe && segment.length === 16 && segment.toString('latin1', 4, 9) === 'Adobe'

/** In coded data, 0xff is followed by 0 or the code of a restart. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1]
    if (marker === undefined) break
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  throw broken()
}
