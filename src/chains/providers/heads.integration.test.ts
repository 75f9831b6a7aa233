import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { madeBlock } from '../../../test/support/madeNode.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import type { BlockHeader } from '../chain.ts'
import { newHeads } from '../evm/read/heads.ts'
import { listenForHeads } from './heads.ts'

/** A WebSocket server (RFC 6455), as far as a subscription needs one. */
let server: Server
let sockets: Duplex[] = []
let subscriptions: unknown[] = []
let closed = 0
let stop: AbortController
let running: Promise<void> = Promise.resolve()

const url = () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}/key`
/** The text of one short, masked client frame. */
const unmasked = (frame: Buffer) => {
  const length = (frame[1] as number) & 127
  const [mask, data] =
    length === 126 ? [frame.subarray(4, 8), frame.subarray(8)] : [frame.subarray(2, 6), frame.subarray(6)]
  return Buffer.from(data.map((byte, index) => byte ^ (mask[index % 4] as number))).toString()
}
function send(text: string, opcode = 1): void {
  const data = Buffer.from(text)
  const size = data.length < 126 ? [data.length] : [126, data.length >> 8, data.length & 255]
  sockets.at(-1)?.write(Buffer.concat([Buffer.from([0x80 | opcode, ...size]), data]))
}

beforeEach(async () => {
  ;[sockets, subscriptions, closed, stop] = [[], [], 0, new AbortController()]
  server = createServer()
  server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.on('data', (frame: Buffer) => {
      const opcode = (frame[0] as number) & 15
      if (opcode === 1) subscriptions.push(JSON.parse(unmasked(frame)))
      if (opcode === 8) closed++
    })
    socket.on('error', () => {})
    sockets.push(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
})
afterEach(async () => {
  stop.abort()
  await running
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

const notification = (height: number) => {
  const { transactions: _, ...result } = madeBlock(height).block
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: '0x1', result },
  })
}

function listen(urls: readonly string[]) {
  const [heads, logged]: [(BlockHeader | null)[], string[]] = [[], []]
  const log = createLog('test', 'warn', { write: (line) => void logged.push(line) })
  running = listenForHeads(newHeads, urls, (head) => void heads.push(head), log, stop.signal)
  return { heads, logged }
}
const subscribed = (count = 1) => waitFor('the subscription', async () => subscriptions.length === count)

test('each new head is passed on, once', async () => {
  const { heads } = listen([url()])
  await subscribed()
  expect(subscriptions).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }])
  send('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  send(notification(7))
  send(notification(8))
  await waitFor('two heads', async () => heads.length === 2)
  expect(heads).toMatchObject([
    { height: 7, id: madeBlock(7).block.hash },
    { height: 8, id: madeBlock(8).block.hash },
  ])
})

test('messages without a readable head are ignored, and the next head is received', async () => {
  const { heads } = listen([url()])
  await subscribed()
  const noHeads = [
    'nonsense',
    '{',
    'null',
    '[]',
    '{"method":"eth_subscription"}',
    '{"method":"eth_subscription","params":{"result":{"number":"0x1"}}}',
  ]
  for (const text of [...noHeads, notification(6).replace('eth_subscription', 'other')]) send(text)
  send(notification(7), 2)
  send(notification(8))
  await waitFor('the head', async () => heads.length > 0)
  expect(heads.map((head) => head?.height)).toEqual([8])
})

test('a connection that ends is replaced by one to the next address; the key in an address is not logged', async () => {
  const dead = 'ws://127.0.0.1:1/key'
  const { heads, logged } = listen([url(), dead])
  await subscribed()
  send(notification(7))
  await waitFor('the head', async () => heads.length === 1)
  sockets[0]?.destroy()
  await subscribed(2)
  send(notification(8))
  await waitFor('the next head', async () => heads.length === 2)
  expect(logged.map((line) => JSON.parse(line).host)).toEqual([new URL(url()).host, '127.0.0.1:1'])
  for (const line of logged) expect(line).not.toContain('key')
})

test('it ends on abort, and at once without an address', async () => {
  listen([url()])
  await subscribed()
  stop.abort()
  await running
  await waitFor('the end of the connection', async () => closed === 1)
  stop = new AbortController()
  listen([])
  await running
})
