import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from '@jest/globals'
import type { Response } from 'express'
import type { StreamedFile } from '../src/http/request.ts'
import { ApiError } from '../src/platform/errors.ts'
import type { StreamPiece } from '../src/platform/http/bodies.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { sendStream } from './sendStream.ts'

const log = createLog('test', 'silent')
const piece = (text: string): StreamPiece => ({ body: {}, text })

/** Serves one stream to one socket. */
async function serve(
  pieces: AsyncGenerator<StreamPiece, void, undefined>,
  signal = new AbortController().signal,
  file?: StreamedFile,
  to = log,
) {
  let sent: Promise<unknown> = Promise.resolve()
  const server = createServer((_request, response) => {
    sent = sendStream({ log: to }, response as Response, pieces, signal, () => {}, file).catch(
      (error) => error,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {}).pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return {
    socket,
    sent: () => sent,
    close: () => {
      socket.destroy()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a slow reader holds one piece: the next ones are made as it reads, and all arrive', async () => {
  const size = 256 * 1024
  const total = 200
  let made = 0
  async function* pieces() {
    while (made < total) {
      made++
      yield piece('x'.repeat(size))
    }
  }
  const { socket, sent, close } = await serve(pieces())
  let before = -1
  // The sockets of both sides hold some megabytes.
  await waitFor('the sender to wait', async () => {
    const waits = made === before && made > 0
    before = made
    return waits
  })
  expect(made).toBeLessThan(total / 2)
  let bytes = 0
  for await (const chunk of socket.resume()) bytes += (chunk as Buffer).length
  expect(bytes).toBeGreaterThan(size * total)
  expect(await sent()).toBeUndefined()
  await close()
})

test('a stream that is not read ends when the process stops', async () => {
  const stopping = new AbortController()
  let ended = false
  async function* pieces() {
    try {
      while (!stopping.signal.aborted) yield piece('x'.repeat(2 ** 20))
    } finally {
      ended = true
    }
  }
  const { sent, close } = await serve(pieces(), stopping.signal)
  await waitFor('the request', async () => (await Promise.race([sent(), 'under way'])) === 'under way')
  stopping.abort()
  expect(await sent()).toBeUndefined()
  expect(ended).toBe(true)
  await close()
})

test('an error before the first piece is thrown, one after it ends the stream', async () => {
  // biome-ignore lint/correctness/useYield: it fails first
  async function* refusing(): AsyncGenerator<StreamPiece> {
    throw new Error('refused')
  }
  const first = await serve(refusing())
  await waitFor('the refusal', async () => (await first.sent()) instanceof Error)
  await first.close()
  async function* failing(): AsyncGenerator<StreamPiece> {
    yield piece('data: 1\n\n')
    throw new Error('failed')
  }
  const second = await serve(failing())
  let text = ''
  for await (const chunk of second.socket.resume()) text += chunk
  expect(text).toContain('data: 1')
  expect(await second.sent()).toBeUndefined()
  await second.close()
})

test.each(['as it fails', 'as its caller loses the right'])(
  'a file that ends early %s ends with a broken connection, never as if it were whole',
  async (why) => {
    const error =
      why === 'as it fails' ? new Error('the database is away') : new ApiError(401, 'Invalid API key')
    let received = ''
    async function* pieces() {
      yield piece('first line\r\n')
      // A connection that breaks may lose what has not arrived.
      await waitFor('the first line to arrive', async () => received.includes('first line'))
      throw error
    }
    const file = { type: 'text/csv', name: 'entries.csv' }
    const { socket, close } = await serve(pieces(), undefined, file)
    for await (const chunk of socket.resume()) received += String(chunk)
    expect(received).toContain('first line')
    // The chunk of length 0 would end a whole answer.
    expect(received).not.toMatch(/0\r\n\r\n$/)
    await close()
  },
)

test('a file has its type and its name', async () => {
  async function* pieces() {
    yield piece('a,b\r\n')
  }
  const { socket, close } = await serve(pieces(), undefined, {
    type: 'text/csv; charset=utf-8',
    name: 'entries.csv',
  })
  let received = ''
  for await (const chunk of socket.resume()) received += String(chunk)
  expect(received).toMatch(/Content-Type: text\/csv; charset=utf-8\r\n/)
  expect(received).toMatch(/Content-Disposition: attachment; filename="entries.csv"\r\n/)
  expect(received).toMatch(/0\r\n\r\n$/)
  await close()
})

test.each([
  ['after its reader has gone is no error', true, 0],
  ['otherwise is one', false, 1],
])('a stream that throws %s', async (_when, isGone, errors) => {
  const gone = new AbortController()
  async function* pieces() {
    yield piece('first')
    if (isGone) gone.abort()
    throw new Error('a test')
  }
  let logged = 0
  const counting = { error: () => void logged++ } as unknown as typeof log
  const { socket, sent, close } = await serve(pieces(), gone.signal, undefined, counting)
  socket.resume()
  await once(socket, 'end')
  await sent()
  expect(logged).toBe(errors)
  await close()
})
