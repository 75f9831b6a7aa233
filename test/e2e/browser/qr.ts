/**
 * Data codewords of each block at error correction M, by version (ISO/IEC 18004, table 9); those that a
 * sign-in secret needs.
 */
const blocksOf: Record<number, number[]> = {
  4: [32, 32],
  5: [43, 43],
  6: [27, 27, 27, 27],
  7: [31, 31, 31, 31],
  8: [38, 38, 39, 39],
  9: [36, 36, 36, 37, 37],
  10: [43, 43, 43, 43, 44],
}
/** Row and column of the centres of alignment patterns. */
const centresOf: Record<number, number[]> = {
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
}

const masks: ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

/**
 * Reads a QR code in byte mode that is drawn as unit squares, without error correction. @param path of an SVG
 */
export function readQr(path: string): string {
  const dark = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
  const border = Math.min(...dark.map(({ x }) => x))
  const size = Math.max(...dark.map(({ x }) => x)) - border + 1
  const cells = new Set(dark.map(({ x, y }) => (y - border) * size + x - border))
  const isDark = (y: number, x: number) => cells.has(y * size + x)
  const version = (size - 17) / 4
  const blocks = blocksOf[version]
  if (!blocks) throw new Error(`a QR code of ${size} modules a side is not supported here`)
  const format =
    [0, 1, 2, 3, 4].map((x) => isDark(8, x)).reduce((bits, bit) => bits * 2 + Number(bit), 0) ^ 0b10101
  if (format >> 3 !== 0) throw new Error('the QR code does not use error correction M')
  const mask = masks[format & 7] ?? (() => false)
  const words = bytesOf(readingOrder(size, version).map(({ y, x }) => isDark(y, x) !== mask(y, x)))
  return textOf(deinterleaved(words, blocks), version)
}

/** The modules in reading order: columns in pairs from the right, upwards and downwards in turn. */
function readingOrder(size: number, version: number): { y: number; x: number }[] {
  const order: { y: number; x: number }[] = []
  let upwards = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step
      for (const x of [right, right - 1]) if (!isPattern(y, x, size, version)) order.push({ y, x })
    }
    upwards = !upwards
  }
  return order
}

/** True if a module belongs to the finders, timing, alignment, format or version. */
function isPattern(y: number, x: number, size: number, version: number): boolean {
  const far = size - 8
  if (y === 6 || x === 6 || (y < 9 && x < 9) || (y < 9 && x >= far) || (y >= far && x < 9)) return true
  if (version >= 7 && ((y < 6 && x >= size - 11) || (x < 6 && y >= size - 11))) return true
  const centres = centresOf[version] ?? []
  const [first, last] = [centres[0], centres.at(-1)]
  const isCorner = (cy: number, cx: number) =>
    (cy === first && (cx === first || cx === last)) || (cy === last && cx === first)
  return centres.some((cy) =>
    centres.some((cx) => !isCorner(cy, cx) && Math.abs(cy - y) <= 2 && Math.abs(cx - x) <= 2),
  )
}

function bytesOf(bits: boolean[]): number[] {
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + Number(bit), 0),
  )
}

function deinterleaved(words: number[], blocks: number[]): number[] {
  const filled: number[][] = blocks.map(() => [])
  let next = 0
  for (let index = 0; index < Math.max(...blocks); index++)
    for (const [at, length] of blocks.entries()) if (index < length) filled[at]?.push(words[next++] ?? 0)
  return filled.flat()
}

/** One segment of bytes: its mode, its length, the text. */
function textOf(words: number[], version: number): string {
  const bits = words.map((word) => word.toString(2).padStart(8, '0')).join('')
  if (bits.slice(0, 4) !== '0100') throw new Error('the QR code is not in byte mode')
  const start = version < 10 ? 12 : 20
  const length = Number.parseInt(bits.slice(4, start), 2)
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(bits.slice(start + index * 8, start + index * 8 + 8), 2),
  )
  return Buffer.from(bytes).toString('utf8')
}
