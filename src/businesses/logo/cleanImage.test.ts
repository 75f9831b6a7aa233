import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { type GoldenFile, goldenFile } from '../../../test/support/goldenFiles.ts'
import { jpeg, riff, riffChunk, segment, webp, zip } from '../../../test/support/sampleFiles.ts'
import { cleanImage } from './cleanImage.ts'

const script = Buffer.from('<script>alert(document.domain)</script>')
const cut = (file: Buffer, bytes: number) => file.subarray(0, file.length - bytes)

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(name), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(data.length, 0)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4)
  return bytes
}
/** A grey PNG. */
function png({
  width = 4,
  height = 4,
  data = deflateSync(Buffer.alloc(height * (width + 1))),
  between = [] as Buffer[],
  head = [8, 0, 0, 0, 0],
} = {}): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...head])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...between,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a picture is taken, by its content alone', () => {
  test.each<[GoldenFile, string]>([
    ['png', 'image/png'],
    ['pngPalette', 'image/png'],
    ['jpegBaseline', 'image/jpeg'],
    ['jpegProgressive', 'image/jpeg'],
    ['jpegGreyRestarts', 'image/jpeg'],
    ['webpLossy', 'image/webp'],
    ['webpLossless', 'image/webp'],
    ['webpAlpha', 'image/webp'],
  ])('%s', async (name, type) => {
    const { image, ...found } = await cleanImage(goldenFile(name))
    expect(found).toEqual({ type })
    // What was cleaned once is clean.
    expect((await cleanImage(image)).image).toEqual(image)
  })

  test('of the largest size; interlaced too', async () => {
    const large = { width: 1024, height: 1024, data: deflateSync(Buffer.alloc(1024 * 1025)) }
    expect((await cleanImage(png(large))).type).toBe('image/png')
    // The rows of seven passes over 5 × 5 pixels, each with its filter.
    const rows = [2, 2, 3, 2, 2, 4, 3, 3, 3, 6, 6]
    const data = deflateSync(Buffer.alloc(rows.reduce((sum, row) => sum + row, 0)))
    const size = { width: 5, height: 5, head: [8, 0, 0, 0, 1] }
    expect((await cleanImage(png({ ...size, data }))).type).toBe('image/png')
  })
})

describe('nothing but the picture is kept', () => {
  test.each([
    ['text of a PNG', png({ between: [chunk('tEXt', script), chunk('eXIf', script)] })],
    ['bytes behind a PNG', Buffer.concat([png(), script])],
    ['a comment of a JPEG', jpeg(4, 4, segment(0xfe, script))],
    ['Exif of a JPEG', jpeg(4, 4, segment(0xe1, script))],
    ['bytes behind a JPEG', Buffer.concat([jpeg(), script])],
    ['XMP of a WebP', riff(webp().subarray(12), riffChunk('XMP ', script))],
    ['bytes behind a WebP', Buffer.concat([webp(), script])],
    ['a ZIP behind a PNG', Buffer.concat([png(), zip(script)])],
    ['stored bytes of a PNG, which are packed again', png(hidden())],
  ])('%s', async (_name, file) => {
    expect(file.includes(script)).toBe(true)
    const { image } = await cleanImage(file)
    expect(image.includes(script)).toBe(false)
    expect(image.includes('PK\x03\x04')).toBe(false)
  })

  /** Pixels that read as markup in a file that is not packed. */
  function hidden() {
    const width = script.length
    const row = Buffer.concat([Buffer.from([0]), script])
    return { width, height: 4, data: deflateSync(Buffer.concat([row, row, row, row]), { level: 0 }) }
  }
})

describe('anything else is refused', () => {
  const bomb = deflateSync(Buffer.alloc(50_000_000))
  test.each([
    ['no bytes', Buffer.alloc(0), 'not a PNG, JPEG or WebP'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not a PNG, JPEG or WebP'],
    ['HTML', script, 'not a PNG, JPEG or WebP'],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0'), 'not a PNG, JPEG or WebP'],
    ['a PDF', Buffer.from('%PDF-1.7'), 'not a PNG, JPEG or WebP'],
    ['too many bytes', Buffer.concat([png(), randomBytes(200 * 1024)]), 'too large'],
    ['a PNG that unpacks to more than its size', png({ data: bomb }), 'damaged'],
    ['a PNG of a bomb with its size', png({ width: 50_000, height: 999, data: bomb }), '50000 × 999 pixels'],
    ['a PNG without pixels', png({ width: 0 }), 'damaged'],
    ['a PNG that is too high', png({ width: 1, height: 1025 }), 'at most'],
    ['a PNG with too few pixels', png({ data: deflateSync(Buffer.alloc(19)) }), 'damaged'],
    ['a PNG with a filter that is none', png({ data: deflateSync(Buffer.alloc(20, 9)) }), 'damaged'],
    ['a PNG of a depth that is none', png({ head: [3, 0, 0, 0, 0] }), 'damaged'],
    ['a PNG of a colour that is none', png({ head: [8, 7, 0, 0, 0] }), 'damaged'],
    ['a PNG with a palette that is missing', png({ head: [8, 3, 0, 0, 0] }), 'damaged'],
    [
      'a PNG with a wrong checksum',
      Buffer.from(png().map((byte, at) => (at === 30 ? byte ^ 1 : byte))),
      'damaged',
    ],
    ['an animated PNG', png({ between: [chunk('acTL', Buffer.alloc(8))] }), 'animation'],
    ['a PNG with an unknown critical chunk', png({ between: [chunk('CgBI', Buffer.alloc(4))] }), 'damaged'],
    ['a JPEG that is too wide', jpeg(1025, 4), 'at most'],
    ['a JPEG of two frames', jpeg(4, 4, jpeg().subarray(10, 23)), 'damaged'],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0]), 'damaged'],
    ['an animated WebP', goldenFile('webpAnimated'), 'animation'],
    ['a WebP that is too wide', webp(1025, 4), 'at most'],
    ['a WebP of two sizes', webp(4, 4, [1000, 1000]), 'damaged'],
    ['a WebP of two pictures', riff(webp().subarray(12), webp().subarray(-14)), 'damaged'],
    ['a WebP with another chunk', riff(webp().subarray(12), riffChunk('<scr', script)), 'damaged'],
  ])('%s', async (_name, file, why) => {
    await expect(cleanImage(file)).rejects.toThrow(why)
  })

  test.each<GoldenFile>([
    'png',
    'pngPalette',
    'jpegBaseline',
    'jpegProgressive',
    'webpLossy',
    'webpLossless',
  ])('%s, wherever it is cut', async (name) => {
    const file = goldenFile(name)
    for (let bytes = 1; bytes < file.length; bytes++)
      await expect(cleanImage(cut(file, bytes))).rejects.toThrow()
  })
})
