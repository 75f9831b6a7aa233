import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../src/platform/http.ts'
import type { Chances } from './chances.ts'
import { isRefusal, refusals, refuse } from './refusals.ts'

/**
 * What a provider of any family can do wrong in one answer, by JSON-RPC and by REST alike. `half`: a whole answer whose text is not.
 * `repeated`: what was answered before, to another question of the same name, word for word; `mistaken`: the same, and passed off as the answer to this one. `left-out`: a list that lacks its last
 * entry. `lagging`, `other-words`: what another node of the chain says, as `elsewhere` names it.
 */
export const httpFaults = [...refusals, 'slow', 'truncated', 'half', 'repeated', 'mistaken', 'left-out', 'lagging', 'other-words'] as const
export type HttpFault = (typeof httpFaults)[number]

/** Stands between an indexer and a node, and fails as it is told. */
export interface HttpFaultProxy {
  url: string
  /** As metrics name it. */
  host: string
  /** Chooses what happens to a request, by its JSON-RPC method, or by its path without what varies (`/ledgers/transactions`). */
  choose: Chances<HttpFault>
  /** Faults that were really applied. */
  applied: Map<HttpFault, number>
  close(): Promise<void>
}

export interface HttpProxyOptions {
  /** Base URLs of nodes of the same chain that differ from it. */
  elsewhere: Partial<Record<'lagging' | 'other-words', string>>
  /** How late `slow` answers, in turn, in milliseconds. */
  slowMs: readonly number[]
  /** Names of those that `left-out` may leave something out of: where the reader can tell. */
  provable: readonly string[]
}

interface Asked {
  method: string
  /** Of a JSON-RPC request. */
  id: number | null
  path: string
  verb: string
  body: string
}

interface Answered {
  status: number
  text: string
}

/** @param nodeUrl what requests are passed on to: paths are put behind its own */
export async function startHttpProxy(nodeUrl: string, options: HttpProxyOptions): Promise<HttpFaultProxy> {
  const turns = new Map<HttpFault, number>()
  const answeredBefore = new Map<string, Answered>()
  const turnOf = (fault: HttpFault) => () => {
    const at = turns.get(fault) ?? 0
    turns.set(fault, at + 1)
    return at
  }

  async function answer(asked: Asked, response: ServerResponse): Promise<void> {
    const fault = proxy.choose(asked)
    const apply = () => {
      if (fault) proxy.applied.set(fault, (proxy.applied.get(fault) ?? 0) + 1)
    }
    if (fault && isRefusal(fault) && refuse(fault, turnOf(fault), response, asked.id)) {
      apply()
      return
    }
    if (fault === 'slow') {
      apply()
      await delay(options.slowMs[turnOf(fault)() % options.slowMs.length])
    }
    const other = fault === 'lagging' || fault === 'other-words' ? options.elsewhere[fault] : undefined
    if (other) apply()
    const found = await pass(other ?? nodeUrl, asked)
    const before = answeredBefore.get(asked.method)
    answeredBefore.set(asked.method, found)
    if (fault === 'truncated') {
      apply()
      response
        .writeHead(found.status, { 'content-type': 'application/json', 'content-length': found.text.length })
        .write(found.text.slice(0, found.text.length / 2), () => response.destroy())
      return
    }
    const wrong = fault && distorted(fault, asked, found, before)
    if (wrong) apply()
    response.writeHead(found.status, { 'content-type': 'application/json' }).end(wrong ?? found.text)
  }

  function distorted(fault: HttpFault, { method, id }: Asked, { text }: Answered, before: Answered | undefined): string | null {
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
      .then((asked) => answer(asked, response))
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

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [body, path, verb] = [Buffer.concat(chunks).toString(), request.url ?? '/', request.method ?? 'GET']
  const call = path === '/' && body ? (JSON.parse(body) as { id: number; method: string }) : null
  // As metrics name paths: without heights and hashes.
  const name = (path.split('?', 1)[0] ?? '').replace(/\/(\d+|[0-9a-f]{64})(?=\/|$)/g, '')
  return { method: call?.method ?? name, id: call?.id ?? null, path, verb, body }
}

async function pass(nodeUrl: string, { path, verb, body }: Asked): Promise<Answered> {
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

/** Without the last entry of what it lists, be it a list itself; null where there is none. */
function withoutLast(text: string): string | null {
  const answered = JSON.parse(text) as unknown
  const list = Array.isArray(answered)
    ? (answered as unknown[])
    : ((answered as Listed).result?.transactions ?? (answered as Listed)._embedded?.records ?? [])
  return list.pop() === undefined ? null : JSON.stringify(answered)
}
