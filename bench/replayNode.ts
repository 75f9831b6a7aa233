import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../src/platform/http/http.ts'
import { clock } from './clock.ts'
import { firstHeight, type Paying, type ReplayedChain } from './recordedChain.ts'
import { replayMethods } from './replayMethods.ts'

// A node that answers recorded blocks, in a separate process: HTTP, and new heads by WebSocket. It counts its
// requests.

/** Changes to apply; answered when they are done. */
export interface ReplayOrder {
  paying?: Paying
  head?: number
  /** Advances the head block by block instead of at once. */
  everyMs?: number
}

export interface ReplayAnswer {
  /** Calls by method since the last answer. */
  calls: Record<string, number>
  /** HTTP requests since then; a batch is one. */
  requests: number
  /** Heights that were added one by one since then, each with the time from which it was readable. */
  heads: [height: number, at: number][]
  /** Since the node's start. */
  cpu: NodeJS.CpuUsage
}

process.on('disconnect', () => process.exit())

const methods = replayMethods(process.env.CHAIN as ReplayedChain, {
  head: Number(process.env.HEAD ?? firstHeight),
  paying: { outOf: 10, payments: 1 },
  traces: process.env.TRACES === '1',
})
let calls: Record<string, number> = {}
let requests = 0
/** Added to each answer. */
const latencyMs = Number(process.env.LATENCY_MS ?? 0)
let heads: ReplayAnswer['heads'] = []

interface Call {
  id: number
  method: string
  params: unknown[]
}

function piecesOf({ id, method, params }: Call): (Buffer | string)[] {
  calls[method] = (calls[method] ?? 0) + 1
  const result = methods.answer(method, params)
  if (result) return [`{"jsonrpc":"2.0","id":${id},"result":`, result, '}']
  return [
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: `the method ${method} does not exist/is not available` },
    }),
  ]
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse(await text(request)) as Call | Call[]
  requests++
  if (latencyMs > 0) await delay(latencyMs)
  const pieces = Array.isArray(asked)
    ? ['[', ...asked.flatMap((call, index) => (index === 0 ? piecesOf(call) : [',', ...piecesOf(call)])), ']']
    : piecesOf(asked)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': pieces.reduce((sum, { length }) => sum + length, 0),
  })
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}

// The part of a WebSocket server that a subscription to new heads needs (RFC 6455).
const subscribers = new Set<Duplex>()
function send(socket: Duplex, message: object): void {
  const data = Buffer.from(JSON.stringify(message))
  const size = data.length < 126 ? [data.length] : [126, data.length >> 8, data.length & 255]
  socket.write(Buffer.concat([Buffer.from([0x81, ...size]), data]))
}
function accept(request: IncomingMessage, socket: Duplex): void {
  const key = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  )
  socket.on('error', () => {})
  socket.on('close', () => void subscribers.delete(socket))
  socket.on('data', (frame: Buffer) => {
    const opcode = (frame[0] as number) & 15
    if (opcode === 8) socket.end()
    // Clients send nothing but the subscription.
    if (opcode !== 1) return
    send(socket, { jsonrpc: '2.0', id: 1, result: '0x1' })
    subscribers.add(socket)
  })
}
function announce(): void {
  for (const socket of subscribers) send(socket, { jsonrpc: '2.0', ...methods.announcement() })
}

async function apply(order: ReplayOrder): Promise<void> {
  methods.paying = order.paying ?? methods.paying
  const target = order.head ?? methods.head
  while (methods.head < target) {
    if (order.everyMs !== undefined) await delay(order.everyMs)
    methods.head = order.everyMs === undefined ? target : methods.head + 1
    if (order.everyMs !== undefined) heads.push([methods.head, clock()])
    announce()
  }
  process.send?.({ calls, requests, heads, cpu: process.cpuUsage() } satisfies ReplayAnswer)
  calls = {}
  requests = 0
  heads = []
}

// Longer than any round: a connection that closes while the pool hands it out would fail a request.
const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  serve(request, response).catch((error) => response.writeHead(500).end(String(error)))
})
server.on('upgrade', accept)
const port = await listen(server, 0, '127.0.0.1')
process.on('message', (order: ReplayOrder) => void apply(order))
process.send?.({ port })
