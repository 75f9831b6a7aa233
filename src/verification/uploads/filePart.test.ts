import { PassThrough } from 'node:stream'
import { describe, expect, test } from '@jest/globals'
import { ApiError } from '../../platform/errors.ts'
import { readFilePart } from './filePart.ts'

const pace = { idleMs: 300, minRate: 10_000, spareMs: 500 }
const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function uploadOf(headers: Record<string, string> = {}) {
  const body = new PassThrough()
  const asked: string[] = []
  const upload = { headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers }, body, begin: () => void asked.push('100') }
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
    const outcome = outcomeOf(readFilePart(upload, 1_000_000, readAll, pace))
    body.write(head)
    const sending = setInterval(() => body.write('x'), 20)
    expect(await outcome).toMatch(/too slowly/)
    clearInterval(sending)
  })

  test('that arrives at the floor may take any time', async () => {
    const { body, upload } = uploadOf()
    const outcome = outcomeOf(readFilePart(upload, 1_000_000, readAll, pace))
    body.write(head)
    for (let sent = 0; sent < 20; sent++) {
      body.write(Buffer.alloc(2000))
      await wait(100)
    }
    body.end('\r\n--b--\r\n')
    expect(await outcome).toBe('stored')
  })

  test('that stops is refused', async () => {
    const { body, upload } = uploadOf()
    const outcome = outcomeOf(readFilePart(upload, 1_000_000, readAll, pace))
    body.write(head)
    body.write(Buffer.alloc(500_000))
    expect(await outcome).toMatch(/did not arrive completely/)
  })

  test('that waits for a slow store is not refused', async () => {
    const { body, upload } = uploadOf()
    const slow = async (file: AsyncIterable<Uint8Array>) => {
      await wait(1500)
      await readAll(file)
    }
    const outcome = outcomeOf(readFilePart(upload, 1_000_000, slow, pace))
    body.end(Buffer.concat([Buffer.from(head), Buffer.alloc(900_000), Buffer.from('\r\n--b--\r\n')]))
    expect(await outcome).toBe('stored')
  })

  test('that is declared too large, or is no form, is not asked for', async () => {
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
