import { PassThrough } from 'node:stream'
import { describe, expect, test } from '@jest/globals'
import { ApiError } from '../../platform/errors.ts'
import { readFilePart } from './filePart.ts'

const pace = { idleMs: 60_000, minRate: 1, spareMs: 60_000 }
const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

function uploadOf(headers: Record<string, string> = {}) {
  const body = new PassThrough()
  const asked: string[] = []
  const upload = {
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
    body,
    begin: () => void asked.push('100'),
  }
  return { body, asked, upload: { ...upload, signal: new AbortController().signal } }
}
async function readAll(file: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of file) void piece
}
const outcomeOf = (reading: Promise<void>) =>
  reading.then(
    () => 'stored',
    (error: ApiError) => error.message,
  )

describe('the body of an upload', () => {
  test('that arrives below the floor of the rate is refused, though bytes keep coming', async () => {
    const { body, upload } = uploadOf()
    const outcome = outcomeOf(
      readFilePart(upload, 1_000_000, readAll, { idleMs: 60_000, minRate: 1_000_000, spareMs: 200 }),
    )
    body.write(head)
    const sending = setInterval(() => body.write('x'), 20)
    expect(await outcome).toMatch(/too slowly/)
    clearInterval(sending)
  })

  test('that stops is refused', async () => {
    const { body, upload } = uploadOf()
    const outcome = outcomeOf(
      readFilePart(upload, 1_000_000, readAll, { idleMs: 200, minRate: 1, spareMs: 60_000 }),
    )
    body.write(head)
    body.write(Buffer.alloc(500_000))
    expect(await outcome).toMatch(/did not arrive completely/)
  })

  test('that is declared too large, or is no form, is not requested', async () => {
    for (const headers of [{ 'content-length': '2000000' }, { 'content-type': 'multipart/form-data' }]) {
      const { asked, upload } = uploadOf(headers)
      await expect(readFilePart(upload, 1_000_000, readAll, pace)).rejects.toBeInstanceOf(ApiError)
      expect(asked).toEqual([])
    }
    const { asked, body, upload } = uploadOf()
    const outcome = outcomeOf(readFilePart(upload, 1_000_000, readAll, pace))
    body.end(`${head}x\r\n--b--\r\n`)
    expect([await outcome, asked]).toEqual(['stored', ['100']])
  })
})
