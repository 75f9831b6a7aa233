import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Controlled, control, UnknownAction } from './control.ts'
import { type Flags, type View, viewOf } from './faces.ts'
import { fundAccount } from './friendbot.ts'
import { answerHorizon } from './horizon.ts'
import { collection, notFound, Problem, pageOf, queryOf, stream } from './horizonPages.ts'
import { submitAsync, submitTransaction } from './horizonSubmit.ts'
import { answerRpc } from './rpc.ts'

/** Longer than a suite: closing a connection fails a request in flight on it. */
const keepAliveTimeout = 600_000

/** A face (a provider of the chain), with its request counter. */
interface Face {
  flags: Flags
  view: View
  second: number
  requests: number
}

export interface Serving extends Controlled {
  timed(): boolean
}

/** Both APIs, control actions and friendbot on one port. */
export function startServer(serving: Serving): Server {
  const known = new Map<string, Face>()
  const faceOf = (name: string): Face => {
    const flags = serving.faces.get(name) ?? {}
    const before = known.get(name)
    if (before && before.flags === flags) return before
    if (!serving.faces.has(name)) serving.faces.set(name, flags)
    const face = { flags, view: viewOf(serving.chain, flags), second: 0, requests: 0 }
    known.set(name, face)
    return face
  }
  return createServer({ keepAliveTimeout }, (request, response) => {
    handle(serving, faceOf, request, response).catch((error: unknown) => {
      const status = error instanceof UnknownAction ? 400 : 500
      if (!response.headersSent)
        send(response, status, { error: error instanceof Error ? error.message : String(error) })
      else response.destroy()
    })
  })
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const type =
    status >= 400 && 'type' in body ? 'application/problem+json; charset=utf-8' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

async function handle(
  serving: Serving,
  faceOf: (name: string) => Face,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  const parts = url.pathname.split('/').filter((part) => part !== '')
  if (parts[0] === 'control') return send(response, 200, control(serving, JSON.parse(await bodyOf(request))))
  const named = parts[0] === 'faces'
  const [api, ...path] = named ? parts.slice(2) : parts
  const prefix = named ? `${url.origin}/faces/${parts[1]}` : url.origin
  const face = faceOf(named ? (parts[1] ?? '') : '')
  if (await refused(face, response)) return
  if (api === 'rpc')
    return send(response, 200, answerRpc(face.view, `${url.origin}/friendbot`, parse(await bodyOf(request))))
  try {
    if (api === 'friendbot')
      return send(response, 200, await fundAccount(serving, url.searchParams.get('addr') ?? ''))
    if (api === 'horizon') return await horizon(face.view, `${prefix}/horizon`, path, url, request, response)
    throw notFound()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    send(response, error.status, error.body)
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Answers of a failing provider. @returns true if answered */
async function refused(face: Face, response: ServerResponse): Promise<boolean> {
  const { down, slowMs, throttle } = face.flags
  if (slowMs) await delay(slowMs)
  if (down) {
    send(response, 503, { error: 'service unavailable' })
    return true
  }
  const second = Math.floor(Date.now() / 1000)
  face.requests = face.second === second ? face.requests + 1 : 1
  face.second = second
  if (throttle === undefined || face.requests <= throttle) return false
  const body = new Problem(
    'rate_limit_exceeded',
    'Rate Limit Exceeded',
    429,
    'The rate limit for the requesting IP address is over its alloted limit.',
  ).body
  send(response, 429, body, { 'retry-after': '1' })
  return true
}

async function horizon(
  view: View,
  base: string,
  parts: string[],
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST') {
    const envelope = new URLSearchParams(await bodyOf(request)).get('tx') ?? ''
    if (parts[0] === 'transactions') return send(response, 200, await submitTransaction(view, base, envelope))
    if (parts[0] !== 'transactions_async') throw notFound()
    const { status, body } = submitAsync(view, envelope)
    return send(response, status, body)
  }
  const query = queryOf(url.searchParams)
  const answer = answerHorizon({ view, base, parts, params: url.searchParams, query })
  if ('resource' in answer) return send(response, 200, answer.resource)
  if (request.headers.accept?.includes('text/event-stream'))
    return stream(view.chain, response, query, answer.records)
  send(response, 200, collection(pageOf(answer.records(), query), url, query))
}
