import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { Secret } from '../../platform/secrets.ts'
import { openStream, sealStream } from './sealStream.ts'

const key = new Secret<Uint8Array>(randomBytes(32))
const frame = 64 * 2 ** 10
const sealedFrame = frame + 16

async function* pieces(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
async function all(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const got: Buffer[] = []
  for await (const piece of stream) got.push(piece)
  return Buffer.concat(got)
}
const sealed = (plain: Buffer, length = 1000) => all(sealStream(key, pieces(plain, length), 'of this file'))
const opened = (bytes: Buffer, { context = 'of this file', by = key } = {}) =>
  all(openStream(by, pieces(bytes, 999), context))

describe('a sealed stream', () => {
  test.each([0, 1, frame - 1, frame, frame + 1, 3 * frame, 3 * frame + 5])(
    'of %d bytes opens as it was',
    async (length) => {
      const plain = randomBytes(length)
      const bytes = await sealed(plain)
      expect(bytes.length).toBe(length + 16 * Math.max(1, Math.ceil(length / frame)))
      expect((await opened(bytes)).equals(plain)).toBe(true)
      if (length > 100) expect(bytes.includes(plain.subarray(0, 32))).toBe(false)
    },
  )

  test('does not open with another key or context, changed, cut, lengthened, or with frames exchanged or left out', async () => {
    const bytes = await sealed(randomBytes(3 * frame + 5))
    const frames = [0, 1, 2, 3].map((at) => bytes.subarray(at * sealedFrame, (at + 1) * sealedFrame))
    const join = (...order: number[]) => Buffer.concat(order.map((at) => frames[at] ?? Buffer.alloc(0)))
    const changed = Buffer.from(bytes)
    changed[sealedFrame + 7] = (changed[sealedFrame + 7] ?? 0) ^ 1
    const broken = [
      changed,
      bytes.subarray(0, -1),
      join(0, 1, 2),
      join(0, 1),
      join(1, 0, 2, 3),
      join(0, 2, 3),
      Buffer.concat([bytes, bytes]),
      Buffer.alloc(0),
    ]
    for (const each of broken) await expect(opened(each)).rejects.toThrow()
    await expect(opened(bytes, { context: 'of another' })).rejects.toThrow()
    await expect(opened(bytes, { by: new Secret<Uint8Array>(randomBytes(32)) })).rejects.toThrow()
  })
})
