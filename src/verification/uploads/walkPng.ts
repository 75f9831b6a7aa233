import { fits, skip, take, type Walk } from './walk.ts'

export const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const checksumBytes = 4
/** Of all texts and profiles that are compressed: they could expand a thousand times. */
const maxCompressed = 64 * 2 ** 10
/** A keyword of up to 79 bytes, a zero, and whether the text is compressed. */
const textHead = 81
const known = ['IHDR', 'PLTE', 'IDAT', 'IEND']
/** A reader has to know chunks whose name starts with a capital letter. */
const isCritical = (name: string): boolean => /^[A-Z]/.test(name)

/** The chunks of a PNG up to its end (W3C PNG, chapters 5 and 11). */
export function* walkPng(): Walk {
  yield* skip(pngStart.length)
  let compressed = 0
  let data = false
  for (let index = 0; ; index++) {
    const head = yield* take(8)
    const length = head.readUInt32BE(0)
    const name = head.toString('latin1', 4)
    if (length >= 2 ** 31 || !/^[A-Za-z]{4}$/.test(name)) return false
    if ((name === 'IHDR') !== (index === 0) || (isCritical(name) && !known.includes(name))) return false
    const start = yield* take(Math.min(length, name === 'iTXt' ? textHead : 8 * Number(name === 'IHDR')))
    if (name === 'IHDR' && (length !== 13 || !fits(start.readUInt32BE(0), start.readUInt32BE(4))))
      return false
    if (name === 'zTXt' || name === 'iCCP' || (name === 'iTXt' && isCompressed(start))) compressed += length
    if (compressed > maxCompressed) return false
    data ||= name === 'IDAT'
    yield* skip(length - start.length + checksumBytes)
    if (name === 'IEND') return length === 0 && data
  }
}

const isCompressed = (text: Buffer): boolean => text[text.indexOf(0) + 1] !== 0
