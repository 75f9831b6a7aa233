import { setImmediate } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { expect, test } from '@jest/globals'
import { givenBack } from './givenBack.ts'

/**
 * Parses a body that arrives in these pieces. @returns the bytes of its file, and the lengths of its pieces
 * after they were given back
 */
async function parsed(pieces: readonly (string | Buffer)[]): Promise<{ file: Buffer; left: number[] }> {
  const parser = new Busboy({ headers: { 'content-type': 'multipart/form-data; boundary=xyz' } })
  const copies: Buffer[] = []
  const given: Uint8Array[] = []
  const read = new Promise<void>((resolve, reject) => {
    parser.on('file', (_name, stream) => {
      const all = async () => {
        for await (const piece of givenBack(stream as AsyncIterable<Uint8Array>)) {
          copies.push(Buffer.from(piece))
          given.push(piece)
        }
      }
      all().then(resolve, reject)
    })
    parser.on('error', reject)
  })
  const head =
    '--xyz\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: image/png\r\n\r\n'
  for (const piece of [head, ...pieces, '\r\n--xyz--\r\n']) {
    parser.write(piece)
    // The reader takes the piece before the next one comes.
    for (let i = 0; i < 5; i++) await setImmediate()
  }
  parser.end()
  await read
  return { file: Buffer.concat(copies), left: given.map(({ length }) => length) }
}

test('a buffer that the parser fills again is left to it: a delimiter that breaks off at its last byte', async () => {
  const pieces = ['abc', '\r\n--xy', '\r', 'more bytes than a delimiter has']
  expect((await parsed(pieces)).file.toString()).toBe(pieces.join(''))
})

test('a large piece is given back', async () => {
  const piece = Buffer.alloc(2 ** 16, 7)
  const { file, left } = await parsed([piece])
  expect(file.equals(Buffer.alloc(2 ** 16, 7))).toBe(true)
  expect(Math.max(...left)).toBeLessThan(4096)
})
