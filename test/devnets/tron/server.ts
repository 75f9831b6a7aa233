/** The HTTP server: faces, API keys, control actions, and serialized access to the chain. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Method, reads, type View } from './apiRead.ts'
import { writes } from './apiWrite.ts'
import { type Chain, headOf, solidHeight } from './chain.ts'
import { RequestError } from './errors.ts'
import type { Flags } from './faces.ts'
import { isObject, type Json, type JsonObject, toVisible } from './json.ts'

/** Longer than a suite: closing a connection fails a request in flight on it. */
const keepAliveTimeout = 600_000

export type Control = (action: string, params: JsonObject) => Promise<Json>

export interface ServerOptions {
  chain: Chain
  faces: Map<string, Flags>
  control: Control
  apiKey: string | null
  inTurn: InTurn
}

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Runs work one at a time: no request sees an incomplete block. */
export function oneAtATime(): InTurn {
  let turn: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work)
    turn = done.catch(() => undefined)
    return done
  }
}

interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
}

/** Also served by a solidity node; the others build or send transactions. */
const solidityWrites = new Set(['triggerconstantcontract', 'estimateenergy'])

/** Methods that a lite full node does not serve (java-tron, LiteFnQueryHttpFilter). */
const historyMethods = new Set([
  'getblockbyid',
  'getblockbylatestnum',
  'getblockbylimitnext',
  'getblockbynum',
  'gettransactionbyid',
  'gettransactioninfobyid',
  'gettransactioninfobyblocknum',
])

export function tronServer(options: ServerOptions): Server {
  const used = new Map<string, { second: number; requests: number }>()
  const { inTurn } = options

  const overLimit = (name: string, limit: number): boolean => {
    const second = Math.floor(Date.now() / 1000)
    const window = used.get(name)
    const requests = window?.second === second ? window.requests + 1 : 1
    used.set(name, { second, requests })
    return requests > limit
  }

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = await bodyOf(request)
    if (url.pathname === '/control') return controlled(() => inTurn(() => runControl(options.control, body)))
    const [, face = '', path] = /^(?:\/faces\/([^/]+))?(\/.*)$/.exec(url.pathname) ?? []
    const flags = options.faces.get(face) ?? {}
    if (flags.slowMs) await delay(flags.slowMs)
    if (flags.down) return { status: 503, body: 'Service Unavailable' }
    if (flags.throttle !== undefined && overLimit(face, flags.throttle)) {
      return {
        status: 429,
        body: JSON.stringify({ Error: 'request rate exceeded' }),
        headers: { 'retry-after': '1' },
      }
    }
    const key = flags.apiKey ?? options.apiKey
    if (key !== null && request.headers['tron-pro-api-key'] !== key)
      return { status: 401, body: JSON.stringify({ Error: 'ApiKey not exists' }) }
    const [, node, name = ''] = /^\/(wallet|walletsolidity)\/(\w+)$/.exec(path ?? '') ?? []
    const method = methodOf(node, name)
    if (!method) return { status: 404, body: '' }
    if (flags.lite && historyMethods.has(name))
      return { status: 200, body: 'this API is closed because this node is a lite fullnode' }
    return inTurn(() => ask(method, viewOf(options.chain, flags, node === 'walletsolidity'), url, body))
  }

  return createServer({ keepAliveTimeout }, (request, response) => {
    answer(request)
      .catch(
        (error: unknown): Answer => ({
          status: 500,
          body: String(error instanceof Error ? error.stack : error),
        }),
      )
      .then((given) => write(response, given))
  })
}

function methodOf(node: string | undefined, name: string): Method | undefined {
  if (node === undefined) return undefined
  return reads[name] ?? (node === 'wallet' || solidityWrites.has(name) ? writes[name] : undefined)
}

function viewOf(chain: Chain, flags: Flags, solid: boolean): View {
  const head = Math.max(0, headOf(chain).header.number - (flags.lagBlocks ?? 0))
  const solidTop = solidHeight(chain, head)
  return { chain, flags, solid, solidTop, top: solid ? solidTop : head }
}

/** java-tron returns errors with status 200: `{"Error": "class … : …"}`. */
async function ask(method: Method, view: View, url: URL, body: string): Promise<Answer> {
  try {
    const posted: Json = body === '' ? {} : JSON.parse(body)
    const params: JsonObject = {
      ...Object.fromEntries(url.searchParams),
      ...(isObject(posted) ? posted : {}),
    }
    const visible = params.visible === true || params.visible === 'true'
    const json = await method(view, params)
    return { status: 200, body: JSON.stringify(visible ? toVisible(json) : json) }
  } catch (error) {
    const [javaClass, message] =
      error instanceof RequestError
        ? [error.javaClass, error.message]
        : ['java.lang.IllegalArgumentException', error instanceof Error ? error.message : String(error)]
    return { status: 200, body: JSON.stringify({ Error: `class ${javaClass} : ${message}` }) }
  }
}

async function runControl(control: Control, body: string): Promise<Json> {
  const { action, ...params } = JSON.parse(body || '{}') as JsonObject
  return control(String(action ?? ''), params)
}

const controlled = (work: () => Promise<Json>): Promise<Answer> =>
  work().then(
    (json) => ({ status: 200, body: JSON.stringify(json) }),
    (error: unknown) => ({
      status: 400,
      body: JSON.stringify({ error: error instanceof Error ? error.message : String(error) }),
    }),
  )

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function write(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}
