import { createServer, type ServerResponse } from 'node:http'
import { listen } from '../../src/platform/http.ts'

/** What a provider can do wrong. Each was seen at a real one. */
export const faults = [
  'empty-logs',
  'missing-log',
  'stale-head',
  'throttled',
  'garbage',
  'truncated',
  'hanging',
  'missing-receipt',
  'wrong-height',
] as const
export type Fault = (typeof faults)[number]

interface RpcRequest {
  id: number
  method: string
  params: unknown[]
}

interface RpcReceipt {
  logs: { logIndex: string }[]
}

/** Stands between the indexer and a node and lies as it is told. */
export interface FaultProxy {
  url: string
  /** Chooses what happens to a request; null lets it through. */
  choose: (request: RpcRequest) => Fault | null
  /** Faults that were really applied, by kind. */
  applied: Map<Fault, number>
  /** Answers from memory, by method and block: what a fork looked like. Null: the node is asked. */
  replay: Recording | null
  /** Keeps what the node answers about blocks. */
  recording: Recording | null
  close(): Promise<void>
}

export type Recording = Map<string, unknown>

export async function startFaultProxy(nodeUrl: string): Promise<FaultProxy> {
  const proxy: FaultProxy = { url: '', choose: () => null, applied: new Map(), replay: null, recording: null, close: async () => {} }
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest
      answer(proxy, nodeUrl, call, response, hanging).catch(() => response.destroy())
    })
  })
  proxy.url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  proxy.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return proxy
}

async function ask(nodeUrl: string, call: RpcRequest): Promise<unknown> {
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...call }),
  })
  return ((await response.json()) as { result: unknown }).result
}

async function answer(proxy: FaultProxy, nodeUrl: string, call: RpcRequest, response: ServerResponse, hanging: Set<ServerResponse>): Promise<void> {
  const key = `${call.method} ${JSON.stringify(call.params)}`
  const send = (result: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }))
  if (proxy.replay) {
    send(proxy.replay.get(key) ?? null)
    return
  }
  const fault = proxy.choose(call)
  const apply = () => {
    if (fault) proxy.applied.set(fault, (proxy.applied.get(fault) ?? 0) + 1)
  }
  if (fault === 'throttled') {
    apply()
    response.writeHead(429, { 'retry-after': '0.05' }).end('slow down')
    return
  }
  if (fault === 'garbage') {
    apply()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')
    return
  }
  if (fault === 'hanging') {
    apply()
    hanging.add(response)
    return
  }
  const result = await ask(nodeUrl, call)
  proxy.recording?.set(key, result)
  if (fault === 'truncated') {
    apply()
    const body = JSON.stringify({ jsonrpc: '2.0', id: call.id, result })
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      .write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy())
    return
  }
  send(fault ? await distort(fault, nodeUrl, call, result, apply) : result)
}

/** An answer that is well-formed and wrong. */
async function distort(fault: Fault, nodeUrl: string, call: RpcRequest, result: unknown, apply: () => void): Promise<unknown> {
  const isBlock = call.method === 'eth_getBlockByNumber' && result !== null
  const receipts = call.method === 'eth_getBlockReceipts' ? (result as RpcReceipt[] | null) : null
  const withLogs = receipts?.filter((receipt) => receipt.logs.length > 0) ?? []
  if (fault === 'empty-logs' && withLogs.length > 0) {
    apply()
    return receipts?.map((receipt) => ({ ...receipt, logs: [] }))
  }
  if (fault === 'missing-log' && withLogs.length > 0) {
    apply()
    const victim = withLogs[withLogs.length - 1]
    return receipts?.map((receipt) => (receipt === victim ? { ...receipt, logs: receipt.logs.slice(0, -1) } : receipt))
  }
  if (fault === 'missing-receipt' && receipts && receipts.length > 0) {
    apply()
    return receipts.slice(0, -1)
  }
  if (fault === 'stale-head' && isBlock && call.params[0] === 'latest') {
    apply()
    const height = Number((result as { number: string }).number)
    return ask(nodeUrl, { ...call, params: [`0x${Math.max(1, height - 3).toString(16)}`, call.params[1]] })
  }
  if (fault === 'wrong-height' && isBlock && call.params[0] !== 'latest') {
    apply()
    return ask(nodeUrl, { ...call, params: [`0x${Math.max(1, Number(call.params[0]) - 1).toString(16)}`, call.params[1]] })
  }
  return result
}
