import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../src/platform/http/http.ts'
import { type Omission, omissions, omitLogs, omitReceiptLogs, type RpcLog, type RpcReceipt } from './omit.ts'
import { isRefusal, refuse } from './refusals.ts'
import { refuseBatch } from './refuseBatch.ts'

/** Faults of a provider in one answer. Each was observed at a real provider. */
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

/**
 * Faults over several answers or nodes: logs omitted under the same hash, the node of another chain,
 * temporary connection resets, slow answers, storms of rate limits, a frozen head.
 */
export const burstFaults = [
  ...omissions,
  'wrong-chain-id',
  'flapping',
  'slow',
  'throttle-storm',
  'stale-node',
] as const

export type Fault = (typeof faults)[number] | (typeof burstFaults)[number]

export interface RpcRequest {
  id: number
  method: string
  params: unknown[]
}

interface RpcAnswer {
  result?: unknown
  error?: { code: number; message: string }
}

/** A proxy between the indexer and a node that applies chosen faults. */
export interface FaultProxy {
  url: string
  /** As in metrics. */
  host: string
  /** Chooses the fault of a request; null passes it on. */
  choose: (request: RpcRequest) => Fault | null
  /** Applied faults by kind, and by kind and method (`slow eth_chainId`). */
  applied: Map<string, number>
  /** Recorded answers by method and block, to replay a fork; null: query the node. */
  replay: Recording | null
  /** Records the node's answers about blocks. */
  recording: Recording | null
  /** Changes the node's answers; may be asynchronous. */
  rewrite: ((request: RpcRequest, result: unknown) => unknown) | null
  /** Methods that this provider does not support. */
  without: ReadonlySet<string>
  /** The node of another chain, for `wrong-chain-id`. */
  foreignUrl: string | null
  /** The height at which `stale-node` is frozen; null while it is not. */
  frozenHeight: number | null
  /** Delays of `slow`, in turn, in milliseconds. */
  slowMs: readonly number[]
  close(): Promise<void>
}

export type Recording = Map<string, unknown>

interface ProxyState {
  proxy: FaultProxy
  nodeUrl: string
  /** How often each fault was chosen. */
  timesChosen: Map<Fault, number>
  /** The height at which the node is frozen; null while it is not. */
  frozenAt: Promise<number> | null
}

export async function startFaultProxy(nodeUrl: string): Promise<FaultProxy> {
  const proxy: FaultProxy = {
    url: '',
    host: '',
    choose: () => null,
    applied: new Map(),
    replay: null,
    recording: null,
    rewrite: null,
    without: new Set(),
    foreignUrl: null,
    frozenHeight: null,
    slowMs: [100],
    close: async () => {},
  }
  const state: ProxyState = { proxy, nodeUrl, timesChosen: new Map(), frozenAt: null }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (refuseBatch(body, response)) return
      const call = JSON.parse(body) as RpcRequest
      answer(state, call, response).catch(() => response.destroy())
    })
  })
  proxy.host = `127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  proxy.url = `http://${proxy.host}`
  proxy.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return proxy
}

async function ask(nodeUrl: string, call: Omit<RpcRequest, 'id'>): Promise<RpcAnswer> {
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, params: call.params }),
  })
  const { result, error } = (await response.json()) as RpcAnswer
  return error ? { error } : { result }
}

async function answer(state: ProxyState, call: RpcRequest, response: ServerResponse): Promise<void> {
  const { proxy, nodeUrl } = state
  const key = `${call.method} ${JSON.stringify(call.params)}`
  const send = (answered: RpcAnswer) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answered }))
  // The chain id does not depend on the fork.
  if (proxy.replay && call.method !== 'eth_chainId') {
    send({ result: proxy.replay.get(key) ?? null })
    return
  }
  if (proxy.without.has(call.method)) {
    send({ error: { code: -32601, message: `the method ${call.method} does not exist/is not available` } })
    return
  }
  const fault = proxy.choose(call)
  if (fault !== 'stale-node') {
    state.frozenAt = null
    proxy.frozenHeight = null
  }
  const apply = () => {
    if (fault)
      for (const name of [fault, `${fault} ${call.method}`])
        proxy.applied.set(name, (proxy.applied.get(name) ?? 0) + 1)
  }
  if (fault && isRefusal(fault) && refuse(fault, () => nextOf(state, fault), response, call.id)) {
    apply()
    return
  }
  if (fault === 'slow') {
    apply()
    await delay(proxy.slowMs[nextOf(state, fault) % proxy.slowMs.length])
  }
  if (fault === 'wrong-chain-id' && proxy.foreignUrl) {
    apply()
    send(await ask(proxy.foreignUrl, call))
    return
  }
  if (fault === 'stale-node') {
    state.frozenAt ??= heightOf(nodeUrl)
    proxy.frozenHeight = await state.frozenAt
    send(await asOf(nodeUrl, proxy.frozenHeight, call, apply))
    return
  }
  const answered = await ask(nodeUrl, call)
  proxy.recording?.set(key, answered.result)
  if (fault === 'truncated') {
    apply()
    const body = JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answered })
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      .write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy())
    return
  }
  if (answered.error) {
    send(answered)
    return
  }
  const result = fault ? await distort(fault, nodeUrl, call, answered.result, apply) : answered.result
  send({ result: proxy.rewrite ? await proxy.rewrite(call, result) : result })
}

/** Counts how often a fault was chosen, from 0. */
function nextOf({ timesChosen }: ProxyState, fault: Fault): number {
  const at = timesChosen.get(fault) ?? 0
  timesChosen.set(fault, at + 1)
  return at
}

/** Makes an answer that is well-formed and wrong. */
async function distort(
  fault: Fault,
  nodeUrl: string,
  call: RpcRequest,
  result: unknown,
  apply: () => void,
): Promise<unknown> {
  const isBlock = call.method === 'eth_getBlockByNumber' && result !== null
  const receipts = call.method === 'eth_getBlockReceipts' ? (result as RpcReceipt[] | null) : null
  const withLogs = receipts?.filter((receipt) => receipt.logs.length > 0) ?? []
  if (isOmission(fault)) {
    const logs = call.method === 'eth_getLogs' && result ? (result as RpcLog[]) : null
    const leftLogs = logs && omitLogs(fault, logs)
    const left = receipts === null ? leftLogs : omitReceiptLogs(fault, receipts)
    if (left !== null) apply()
    return left ?? result
  }
  if (fault === 'empty-logs' && withLogs.length > 0) {
    apply()
    return receipts?.map((receipt) => ({ ...receipt, logs: [] }))
  }
  if (fault === 'missing-log' && withLogs.length > 0) {
    apply()
    const omittedFrom = withLogs[withLogs.length - 1]
    return receipts?.map((receipt) =>
      receipt === omittedFrom ? { ...receipt, logs: receipt.logs.slice(0, -1) } : receipt,
    )
  }
  if (fault === 'missing-receipt' && receipts && receipts.length > 0) {
    apply()
    return receipts.slice(0, -1)
  }
  if (fault === 'stale-head' && isBlock && call.params[0] === 'latest') {
    apply()
    const height = Number((result as { number: string }).number)
    return (await ask(nodeUrl, { ...call, params: [hex(Math.max(1, height - 3)), call.params[1]] })).result
  }
  if (fault === 'wrong-height' && isBlock && call.params[0] !== 'latest') {
    apply()
    return (
      await ask(nodeUrl, { ...call, params: [hex(Math.max(1, Number(call.params[0]) - 1)), call.params[1]] })
    ).result
  }
  return result
}

const isOmission = (fault: Fault): fault is Omission => omissions.some((each) => each === fault)
const hex = (height: number) => `0x${height.toString(16)}`
const heightOf = async (nodeUrl: string) =>
  Number((await ask(nodeUrl, { method: 'eth_blockNumber', params: [] })).result)

/** The answer of a node that is frozen at a height. */
async function asOf(
  nodeUrl: string,
  height: number,
  call: RpcRequest,
  apply: () => void,
): Promise<RpcAnswer> {
  const [first, second] = call.params
  const instead = (answered: RpcAnswer) => {
    apply()
    return answered
  }
  const absent = () => instead({ error: { code: -32000, message: 'header not found' } })
  const blockAt = async (hash: unknown) =>
    (await ask(nodeUrl, { method: 'eth_getBlockByHash', params: [hash, false] })).result
  const isAbove = (block: unknown) => Number((block as { number: string } | null)?.number) > height
  switch (call.method) {
    case 'eth_getBlockByNumber': {
      const answered = await ask(nodeUrl, call)
      if (!isAbove(answered.result)) return answered
      return instead(
        /^0x/.test(String(first))
          ? { result: null }
          : await ask(nodeUrl, { ...call, params: [hex(height), second] }),
      )
    }
    case 'eth_getBlockReceipts':
      return Number(first) > height ? instead({ result: null }) : ask(nodeUrl, call)
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock } = first as {
        blockHash?: string
        fromBlock?: string
        toBlock?: string
      }
      if (blockHash) return isAbove(await blockAt(blockHash)) ? absent() : ask(nodeUrl, call)
      if (Number(toBlock) <= height) return ask(nodeUrl, call)
      if (Number(fromBlock) > height) return instead({ result: [] })
      return instead(await ask(nodeUrl, { ...call, params: [{ fromBlock, toBlock: hex(height) }] }))
    }
    case 'eth_getTransactionReceipt': {
      const answered = await ask(nodeUrl, call)
      return Number((answered.result as { blockNumber: string } | null)?.blockNumber) > height
        ? instead({ result: null })
        : answered
    }
    case 'debug_traceBlockByHash':
      return isAbove(await blockAt(first)) ? absent() : ask(nodeUrl, call)
    default:
      return ask(nodeUrl, call)
  }
}
