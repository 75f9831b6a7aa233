import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../src/platform/http/http.ts'
import { refuseBatch } from './refuseBatch.ts'

/** A request to a node, by JSON-RPC method or by path. */
export interface NodeRequest {
  name: string
  /** Of JSON-RPC. */
  params: unknown[]
  /** The raw body. */
  body: string
  /** Passes the request to the node. */
  pass(): Promise<unknown>
}

/** A proxy of a node of any family that can replace its answers. */
export interface NodeGate {
  url: string
  /**
   * Answers instead of the node: the JSON of REST, the result or `{ error }` of JSON-RPC; null passes the
   * request on. May take any time.
   */
  instead: (asked: NodeRequest) => Promise<object | string | null>
  close(): Promise<void>
}

export const passAll: NodeGate['instead'] = async () => null
/** Never answers. */
export const silence = new Promise<null>(() => {})

export async function startNodeGate(nodeUrl: string): Promise<NodeGate> {
  const gate: NodeGate = { url: '', instead: passAll, close: async () => {} }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (refuseBatch(body, response)) return
    const answered = await answer(request, body)
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(answered.text)
  }
  async function answer(request: IncomingMessage, body: string): Promise<{ status: number; text: string }> {
    const path = request.url ?? '/'
    const call = body.startsWith('{"jsonrpc"')
      ? (JSON.parse(body) as { id: number; method: string; params: unknown[] })
      : null
    const pass = async () => {
      const response = await fetch(nodeUrl + (path === '/' ? '' : path), {
        method: request.method ?? 'POST',
        ...(body ? { body, headers } : {}),
      })
      return { status: response.status, text: await response.text() }
    }
    const asked = {
      name: call?.method ?? path,
      params: call?.params ?? [],
      body,
      pass: async () => JSON.parse((await pass()).text) as unknown,
    }
    const instead = await gate.instead(asked)
    if (instead === null) return pass()
    const whole = call
      ? {
          jsonrpc: '2.0',
          id: call.id,
          ...(typeof instead === 'object' && 'error' in instead ? instead : { result: instead }),
        }
      : instead
    return { status: 200, text: JSON.stringify(whole) }
  }
  gate.url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  gate.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return gate
}

const headers = { 'content-type': 'application/json' }
