import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Request, Response } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError } from '../../src/platform/errors.ts'
import { endWork, operationOf } from '../middleware/observe.ts'

/** A client sends one message: its credential. An access token has less than 2 kB. */
const maxMessageBytes = 8192

interface Upgrade {
  socket: Socket
  head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** Compression would cost each stream more memory than all of its messages. */
const webSockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: maxMessageBytes,
  clientTracking: false,
})

/** Only these leave HTTP: other protocols that a client offers (`h2c`) are ignored (RFC 9110, 7.8). */
export const isWebSocketRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/**
 * Requests for a WebSocket take the same way as all others, so that the same credentials, limits and refusals
 * hold.
 */
export function serveUpgrades(server: Server, app: RequestListener): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => upgrades.has(request) && socket.destroySoon())
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { socket, head })
    app(request, response as ServerResponse & { req: IncomingMessage })
  })
}

/**
 * A WebSocket whose credential is not in the headers: it comes in the first message. Browsers cannot set
 * headers.
 */
export const isCredentialToCome = (request: Request): boolean =>
  upgrades.has(request) &&
  operationOf(request)?.responses['101'] !== undefined &&
  request.headers['x-api-key'] === undefined &&
  request.headers.authorization === undefined

/** @throws ApiError 426 if a request is not the opening handshake of a WebSocket (RFC 6455, 4.2.1) */
export function requireWebSocket(request: Request, response: Response): void {
  const { 'sec-websocket-version': version, 'sec-websocket-key': key } = request.headers
  if (upgrades.has(request) && version === '13' && key !== undefined && /^[+/0-9A-Za-z]{22}==$/.test(key))
    return
  response.setHeader('Upgrade', 'websocket').setHeader('Sec-WebSocket-Version', '13')
  throw new ApiError(
    426,
    'upgrade_required',
    'This is a WebSocket: connect with Upgrade: websocket, version 13',
  )
}

const headersOf = new WeakMap<IncomingMessage, string[]>()
webSockets.on('headers', (headers, request) => headers.push(...(headersOf.get(request) ?? [])))

/**
 * Answers 101. The response is over then.
 * @throws Error if the client has gone
 */
export function openWebSocket(request: Request, response: Response): Promise<WebSocket> {
  const { socket, head } = upgrades.get(request) as Upgrade
  upgrades.delete(request)
  const named = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'].map((name) => [
    name,
    response.getHeader(name),
  ])
  headersOf.set(
    request,
    named.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
  )
  response.detachSocket(socket)
  endWork(request)
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the client has gone'))
    socket.once('close', gone)
    webSockets.handleUpgrade(request, socket, head, (opened) => {
      socket.off('close', gone)
      response.statusCode = 101
      response.emit('finish')
      opened.once('close', () => response.emit('close'))
      // It closes the WebSocket by itself: 1007 for text that is not UTF-8, 1009 for a message that is too
      // large.
      opened.on('error', () => {})
      resolve(opened)
    })
    if (socket.destroyed) gone()
  })
}
