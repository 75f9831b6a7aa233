import { describe, expect, test } from '@jest/globals'
import { jpeg, pdf, png, webp } from '../../../test/support/sampleFiles.ts'
import { inspect } from './inspect.ts'

function typeOf(file: Buffer, pieces = 7): string | null {
  const inspection = inspect()
  for (let at = 0; at < file.length; at += pieces) inspection.push(file.subarray(at, at + pieces))
  return inspection.type()
}

const html = Buffer.from('<!doctype html><script>alert(1)</script>')
const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60), Buffer.from('PK\x05\x06'), Buffer.alloc(18)])

describe('the type of a file', () => {
  test.each([
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp()],
    ['application/pdf', pdf()],
  ])('%s is found by its content, in pieces of any length', (type, file) => {
    for (const pieces of [1, 7, 64, file.length]) expect(typeOf(file, pieces)).toBe(type)
  })

  test.each([
    ['no bytes', Buffer.alloc(0)],
    ['HTML', html],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;')],
    ['a ZIP', zip],
    ['a JPEG with a ZIP behind it', Buffer.concat([jpeg(), zip])],
    ['a PNG with a ZIP behind it', Buffer.concat([png(), zip])],
    ['a WebP with a ZIP behind it', Buffer.concat([webp(), zip])],
    ['a PDF with a ZIP behind it', Buffer.concat([pdf(), zip])],
    ['a PDF behind other bytes', Buffer.concat([Buffer.from('GIF89a'), pdf()])],
    ['a PDF that starts with HTML', Buffer.concat([Buffer.from('%PDF-1.7\n'), html, Buffer.from('\n%%EOF')])],
    ['a JPEG with HTML in its comment', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 42]), html, jpeg().subarray(2)])],
    ['a PNG that is cut', png().subarray(0, -1)],
    ['a JPEG that is cut', jpeg().subarray(0, -2)],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a PNG of 10 gigapixels', png(100, 100_000, 100_000)],
    ['a JPEG of 4 gigapixels', jpeg(65_535, 65_535)],
    ['a WebP of 268 megapixels', webp(16_384, 16_384)],
    ['a PNG without pixels', png(100, 0, 10)],
  ])('%s is not taken', (_name, file) => {
    expect(typeOf(file)).toBeNull()
    expect(typeOf(file, Math.max(1, file.length))).toBeNull()
  })

  test('random changes of a file never make it throw', () => {
    for (const file of [jpeg(), png(), webp(), pdf()])
      for (let at = 0; at < file.length; at++)
        for (const byte of [0, 0xff]) {
          const changed = Buffer.from(file)
          changed[at] = byte
          expect([null, 'image/jpeg', 'image/png', 'image/webp', 'application/pdf']).toContain(typeOf(changed.subarray(0, changed.length - (at % 3))))
        }
  })
})
