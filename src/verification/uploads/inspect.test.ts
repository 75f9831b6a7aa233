import { describe, expect, test } from '@jest/globals'
import { type GoldenFile, goldenFile } from '../../../test/support/goldenFiles.ts'
import {
  jpeg,
  pdf,
  png,
  pngChunk,
  riff,
  riffChunk,
  segment,
  webp,
  zip,
} from '../../../test/support/sampleFiles.ts'
import { inspect, type UploadType } from './inspect.ts'

function inspected(file: Buffer, pieces = 7): { type: UploadType | null; kept: Buffer } {
  const inspection = inspect()
  const kept: Buffer[] = []
  for (let at = 0; at < file.length; at += pieces)
    kept.push(Buffer.from(inspection.push(file.subarray(at, at + pieces))))
  return { type: inspection.type(), kept: Buffer.concat(kept) }
}
const typeOf = (file: Buffer, pieces?: number) => inspected(file, pieces).type

const html = Buffer.from('<!doctype html><script>alert(1)</script>')
const join = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
const pngEnd = png().subarray(-12)
const lines = 'trailer\n<<>>\nstartxref\n9\n%%EOF\n'

const golden: [GoldenFile, UploadType][] = [
  ['jpegBaseline', 'image/jpeg'],
  ['jpegProgressive', 'image/jpeg'],
  ['jpegGreyRestarts', 'image/jpeg'],
  ['png', 'image/png'],
  ['pngPalette', 'image/png'],
  ['webpLossy', 'image/webp'],
  ['webpLossless', 'image/webp'],
  ['webpAlpha', 'image/webp'],
  ['pdf', 'application/pdf'],
]

describe('the type of a file', () => {
  test.each(golden)('%s is taken as it is, in pieces of any length', (name, type) => {
    const file = goldenFile(name)
    for (const pieces of [1, 7, 64, file.length])
      expect(inspected(file, pieces)).toEqual({ type, kept: file })
  })

  const samsung = join(
    '\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1700000000000',
    'SEFH',
    Buffer.alloc(20),
    '\x24\0\0\0SEFT',
  )
  test.each([
    ["Samsung's fields", samsung],
    ['the video of a Motion Photo', join('\0\0\0\x18ftypmp42\0\0\0\0isommp42', '\0\0\0\x08mdat', zip())],
    ['zeros', Buffer.alloc(4096)],
    ['another picture', goldenFile('jpegBaseline')],
  ])('%s behind a JPEG: the picture is taken without it', (_name, behind) => {
    const file = goldenFile('jpegBaseline')
    for (const pieces of [1, 64, 100_000])
      expect(inspected(join(file, behind), pieces)).toEqual({ type: 'image/jpeg', kept: file })
  })

  test('a JPEG of two pictures (CIPA DC-007) is taken as its first one', () => {
    const file = goldenFile('jpegTwoPictures')
    const { type, kept } = inspected(file)
    expect(type).toBe('image/jpeg')
    expect(kept.length).toBeLessThan(file.length)
    expect(file.indexOf(kept)).toBe(0)
    expect(
      kept.subarray(-2).toString('hex') + file.subarray(kept.length, kept.length + 3).toString('hex'),
    ).toBe('ffd9ffd8ff')
  })

  test.each([
    [
      'a JPEG with a megabyte of segments of applications',
      'image/jpeg',
      jpeg(10, 10, ...Array(16).fill(segment(0xe2, Buffer.alloc(65_533, 0xff)))),
    ],
    [
      'a JPEG with a thumbnail',
      'image/jpeg',
      jpeg(10, 10, segment(0xe1, join('Exif\0\0', goldenFile('jpegBaseline')))),
    ],
    ['a PDF with zeros behind its end', 'application/pdf', join(pdf(), Buffer.alloc(100))],
    ['a PNG with zeros behind its end', 'image/png', join(png(), Buffer.alloc(100))],
  ])('%s is taken', (_name, type, file) => {
    expect(typeOf(file)).toBe(type)
  })

  test.each([
    ['no bytes', Buffer.alloc(0)],
    ['HTML', html],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;')],
    ['a ZIP', zip()],
    ['an animation', goldenFile('webpAnimated')],
    ['a PDF behind other bytes', join('GIF89a', pdf())],
    ['a PDF that starts with HTML', join('%PDF-1.7\n', html, lines)],
    ['a PDF without the place of its table', join('%PDF-1.7\n', '\n%%EOF')],
    ['a PDF with other bytes behind it', join(pdf(), 'more')],
    ['a JPEG with HTML in its comment', jpeg(10, 10, segment(0xfe, html))],
    ['a JPEG with the start of a PDF in its comment', jpeg(10, 10, segment(0xfe, pdf()))],
    ['a PNG that is cut', png().subarray(0, -1)],
    ['a PNG without data', join(png().subarray(0, 33), pngEnd)],
    ['a PNG whose end is a comment', join(png().subarray(0, -12), pngChunk('tEXt', pngEnd))],
    [
      'a PNG with an unknown critical chunk',
      join(png().subarray(0, 33), pngChunk('CgBI', Buffer.alloc(4)), png().subarray(33)),
    ],
    ['a JPEG that is cut', jpeg().subarray(0, -2)],
    ['a WebP that is cut', webp().subarray(0, -1)],
    [
      'a WebP with a chunk that is longer than it',
      riff(webp().subarray(12), riffChunk('EXIF', Buffer.alloc(8)).subarray(0, 10)),
    ],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9, 0, 0])],
    ['a JPEG without a scan', join(jpeg().subarray(0, 23), '\xff\xd9')],
    ['a JPEG with bytes between segments', jpeg(10, 10, Buffer.from([1]))],
  ])('%s is not taken', (_name, file) => {
    expect(typeOf(file)).toBeNull()
    expect(typeOf(file, Math.max(1, file.length))).toBeNull()
  })

  const comment = (end: string) => zip(Buffer.from(end, 'latin1'))
  test.each([
    ['a JPEG with one behind it', join(jpeg(), zip())],
    ['a PNG with one behind it', join(png(), zip())],
    ['a WebP with one behind it', join(webp(), zip())],
    ['a PDF with one behind it', join(pdf(), zip())],
    ['a JPEG whose comment of it ends as a JPEG', join(jpeg(), comment('\xff\xd9'))],
    ['a PNG whose comment of it ends as a PNG', join(png(), comment(pngEnd.toString('latin1')))],
    ['a PDF whose comment of it ends as a PDF', join('%PDF-1.7\n', comment(lines))],
    ['a JPEG with one in its comment', jpeg(10, 10, segment(0xfe, zip()))],
    ['a JPEG with one in its coded data', join(jpeg().subarray(0, -2), zip(), '\xff\xd9')],
    ['a PNG with one in a text', join(png().subarray(0, -12), pngChunk('tEXt', join('k\0', zip())), pngEnd)],
    ['a WebP with one in its profile', riff(webp().subarray(12), riffChunk('EXIF', zip()))],
    ['a WebP with one in a chunk of its own', riff(webp().subarray(12), riffChunk('ZIP ', Buffer.alloc(4)))],
  ])('a ZIP at the same time is not taken: %s', (_name, file) => {
    for (const pieces of [1, 7, file.length]) expect(typeOf(file, pieces)).toBeNull()
  })

  test.each([
    ['a PNG of 10 gigapixels', png(100, 100_000, 100_000)],
    ['a PNG without pixels', png(100, 0, 10)],
    [
      'a PNG with a compressed text of 64 KiB',
      join(png().subarray(0, -12), pngChunk('zTXt', Buffer.alloc(65_537)), pngEnd),
    ],
    [
      'a PNG with a compressed profile of 64 KiB',
      join(png().subarray(0, -12), pngChunk('iCCP', Buffer.alloc(65_537)), pngEnd),
    ],
    [
      'a PNG with a compressed international text',
      join(png().subarray(0, -12), pngChunk('iTXt', join('k\0\x01\0', Buffer.alloc(65_536))), pngEnd),
    ],
    ['a JPEG of 4 gigapixels', jpeg(65_535, 65_535)],
    ['a JPEG with a second frame', join(jpeg().subarray(0, -2), jpeg(60_000, 60_000).subarray(10))],
    [
      'a JPEG that replaces its height',
      join(jpeg().subarray(0, -2), segment(0xdc, Buffer.from([0xff, 0xff])), '\xff\xd9'),
    ],
    [
      'a JPEG of a thousand scans',
      join(jpeg().subarray(0, -2), ...Array(1000).fill(Buffer.from([0xff, 0xda, 0, 2, 1])), '\xff\xd9'),
    ],
    ['a WebP of 268 megapixels', webp(16_384, 16_384)],
    ['a WebP that hides 268 megapixels', webp(10, 10, [16_384, 16_384])],
  ])('a bomb is not taken: %s', (_name, file) => {
    expect(typeOf(file)).toBeNull()
  })

  test('a PNG with a long text that is not compressed is taken', () => {
    expect(
      typeOf(join(png().subarray(0, -12), pngChunk('iTXt', join('k\0\0\0', Buffer.alloc(100_000))), pngEnd)),
    ).toBe('image/png')
  })

  test('random changes of a file never make it throw, nor give more than came', () => {
    for (const file of [jpeg(), png(), webp(), pdf(), ...golden.map(([name]) => goldenFile(name))])
      for (let at = 0; at < file.length; at++) {
        const changed = Buffer.from(file)
        changed[at] = 0xff * (at % 2)
        const { kept } = inspected(changed.subarray(0, changed.length - (at % 3)), 64)
        if (changed.indexOf(kept) !== 0) throw new Error(`byte ${at} of ${file.toString('base64')}`)
      }
  })
})
