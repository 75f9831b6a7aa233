import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../src/platform/http/http.ts'
import type { Chances } from './chances.ts'
import { isRefusal, refusals, refuse } from './refusals.ts'
import { refuseBatch } from './refuseBatch.ts'

/**
 * Faults of a provider of any family in one answer, over JSON-RPC or REST. `half`: a complete response with
 * half of its text. `repeated`: an earlier answer to the same method, verbatim; `mistaken`: the same with the
 * id of this request. `left-out`: a list without its last entry.
 * `lagging`, `other-words`: the answer of another node of the chain, from `elsewhere`.
 */
export const httpFaults = [
  ...refusals,
  'slow',
  'truncated',
  'half',
  'repeated',
  'mistaken',
  'left-out',
  'lagging',
  'other-words',
] as const
export type HttpFault = (typeof httpFaults)[number]

/** A proxy between an indexer and a node that applies chosen faults. */
export interface HttpFaultProxy {
  url: string
  /** As in metrics. */
  host: string
  /**
   * Chooses the fault of a request by its JSON-RPC method, or by its path without variable parts
   * (`/ledgers/transactions`).
   */
  choose: Chances<HttpFault>
  /** Faults that were applied. */
  applied: Map<HttpFault, number>
  close(): Promise<void>
}

export interface HttpProxyOptions {
  /** Base URLs of other nodes of the same chain. */
  elsewhere: Partial<Record<'lagging' | 'other-words', string>>
  /** Delays of `slow`, in turn, in milliseconds. */
  slowMs: readonly number[]
  /** Methods for `left-out`: those whose omissions the reader can detect. */
  provable: readonly string[]
}

interface ProxiedRequest {
  method: string
  /** Of a JSON-RPC request. */
  id: number | null
  path: string
  verb: string
  body: string
}

interface NodeAnswer {
  status: number
  text: string
}

/** @param nodeUrl receives the requests; paths are appended to its own */
export async function startHttpProxy(nodeUrl: string, options: HttpProxyOptions): Promise<HttpFaultProxy> {
  const timesChosen = new Map<HttpFault, number>()
  const answeredBefore = new Map<string, NodeAnswer>()
  const nextOf = (fault: HttpFault) => () => {
    const at = timesChosen.get(fault) ?? 0
    timesChosen.set(fault, at + 1)
    return at
  }

  async function answer(call: ProxiedRequest, response: ServerResponse): Promise<void> {
    const fault = proxy.choose(call)
    const apply = () => {
      if (fault) proxy.applied.set(fault, (proxy.applied.get(fault) ?? 0) + 1)
    }
    if (fault && isRefusal(fault) && refuse(fault, nextOf(fault), response, call.id)) {
      apply()
      return
    }
    if (fault === 'slow') {
      apply()
      await delay(options.slowMs[nextOf(fault)() % options.slowMs.length])
    }
    const other = fault === 'lagging' || fault === 'other-words' ? options.elsewhere[fault] : undefined
    if (other) apply()
    const found = await pass(other ?? nodeUrl, call)
    const before = answeredBefore.get(call.method)
    answeredBefore.set(call.method, found)
    if (fault === 'truncated') {
      apply()
      response
        .writeHead(found.status, { 'content-type': 'application/json', 'content-length': found.text.length })
        .write(found.text.slice(0, found.text.length / 2), () => response.destroy())
      return
    }
    const wrong = fault && distorted(fault, call, found, before)
    if (wrong) apply()
    response.writeHead(found.status, { 'content-type': 'application/json' }).end(wrong ?? found.text)
  }

  function distorted(
    fault: HttpFault,
    { method, id }: ProxiedRequest,
    { text }: NodeAnswer,
    before: NodeAnswer | undefined,
  ): string | null {
    if (fault === 'half') return text.slice(0, text.length / 2)
    if (fault === 'repeated' || fault === 'mistaken') {
      const repeated = fault === 'mistaken' ? before?.text.replace(/"id":\d+/, `"id":${id}`) : before?.text
      return repeated === undefined || repeated === text ? null : repeated
    }
    if (fault === 'left-out' && options.provable.includes(method)) return withoutLast(text)
    return null
  }

  const server = createServer((request, response) => {
    read(request)
      .then(async (call) => {
        if (!refuseBatch(call.body, response)) await answer(call, response)
      })
      .catch(() => response.destroy())
  })
  const host = `127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  const proxy: HttpFaultProxy = {
    url: `http://${host}`,
    host,
    choose: () => null,
    applied: new Map(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

async function read(request: IncomingMessage): Promise<ProxiedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [body, path, verb] = [Buffer.concat(chunks).toString(), request.url ?? '/', request.method ?? 'GET']
  const call = path === '/' && body ? (JSON.parse(body) as { id: number; method: string }) : null
  // Paths without heights and hashes, as in metrics.
  const name = (path.split('?', 1)[0] ?? '').replace(/\/(\d+|[0-9a-f]{64})(?=\/|$)/g, '')
  return { method: call?.method ?? name, id: call?.id ?? null, path, verb, body }
}

async function pass(nodeUrl: string, { path, verb, body }: ProxiedRequest): Promise<NodeAnswer> {
  const response = await fetch(nodeUrl + (path === '/' ? '' : path), {
    method: verb,
    ...(verb === 'POST' ? { headers: { 'content-type': 'application/json' }, body } : {}),
  })
  return { status: response.status, text: await response.text() }
}

interface Listed {
  result?: { transactions?: unknown[] }
  _embedded?: { records?: unknown[] }
}

/** Removes the last entry of a list in an answer; null without entries. */
function withoutLast(text: string): string | null {
  const answered = JSON.parse(text) as unknown
  const list = Array.isArray(answered)
    ? (answered as unknown[])
    : ((answered as Listed).result?.transactions ?? (answered as Listed)._embedded?.records ?? [])
  return list.pop() === undefined ? null : JSON.stringify(answered)
}
