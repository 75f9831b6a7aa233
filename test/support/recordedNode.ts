import { setTimeout as delay } from 'node:timers/promises'
import { fixtureHeights, hasFixture, readFixture } from '../fixtures/readFixture.ts'
import { startServer } from './httpServer.ts'

/** Blocks of mainnet as a node of that chain answers them, over HTTP and JSON-RPC. */

export interface NodeTransaction {
  hash: string
  from: string
  to: string | null
  value: string
  type?: string
}

export interface NodeLog {
  address: string
  topics: string[]
  data: string
  logIndex: string
  blockHash: string
  transactionHash: string
}

export interface NodeReceipt {
  transactionHash: string
  status: string
  from: string
  contractAddress: string | null
  logsBloom: string
  logs: NodeLog[]
}

export interface NodeBlock {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  transactions: NodeTransaction[]
  withdrawals?: NodeWithdrawal[]
}

export interface NodeWithdrawal {
  index: string
  address: string
  /** In gwei. */
  amount: string
}

export interface NodeRecording {
  block: NodeBlock
  receipts: NodeReceipt[]
  /** In the form of `debug_traceBlockByHash`; null if they were not recorded. */
  traces: { txHash: string; result: Frame }[] | null
}

export interface Frame {
  type: string
  to?: string
  value?: string
  calls?: Frame[]
}

export interface RecordedNode {
  url: string
  /** Its heights, lowest first. It has no others. */
  heights: number[]
  recordings: ReadonlyMap<number, NodeRecording>
  /** Methods that it does not have. */
  without: Set<string>
  /** Changes answers; must not mutate its argument. Null: answers are unchanged. */
  tamper: ((method: string, result: unknown) => unknown) | null
  /** Calls by method, refused ones included. */
  calls: Map<string, number>
  /** Requests with several calls. */
  batches: number
  /** Added to each answer. */
  latencyMs: number
  close(): Promise<void>
}

export const evmChainIds = {
  ethereum: 1,
  polygon: 137,
  bsc: 56,
  base: 8453,
  arbitrum: 42161,
  optimism: 10,
} as const
export type RecordedChain = keyof typeof evmChainIds
export const recordedChains = Object.keys(evmChainIds) as RecordedChain[]

/** @param heights only these; all recorded ones by default */
export async function startRecordedNode(
  chain: RecordedChain,
  heights: readonly number[] = fixtureHeights(chain),
): Promise<RecordedNode> {
  const recordings = new Map(heights.map((height) => [height, recording(chain, height)]))
  const answer = methodsOf(evmChainIds[chain], recordings)
  const server = await startServer(async (response, request) => {
    const body = JSON.parse(request.body) as RpcRequest | RpcRequest[]
    // Saves memory: the requests may grow to megabytes, and are not used.
    server.heard.length = 0
    if (Array.isArray(body)) node.batches++
    if (node.latencyMs > 0) await delay(node.latencyMs)
    const answers = Array.isArray(body) ? body.map(answerOne) : answerOne(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers))
  })
  const node: RecordedNode = {
    url: server.url,
    heights: [...recordings.keys()],
    recordings,
    without: new Set(),
    tamper: null,
    calls: new Map(),
    batches: 0,
    latencyMs: 0,
    close: () => server.close(),
  }

  function answerOne({ id, method, params = [] }: RpcRequest) {
    node.calls.set(method, (node.calls.get(method) ?? 0) + 1)
    try {
      const method_ = node.without.has(method) ? undefined : answer[method]
      if (!method_) throw unknownMethod(method)
      const result = method_(params)
      return { jsonrpc: '2.0', id, result: node.tamper ? node.tamper(method, result) : result }
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
  return node
}

interface RpcRequest {
  id: number
  method: string
  params?: unknown[]
}

class RpcFailure extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** In geth's form. */
const unknownMethod = (method: string) =>
  new RpcFailure(-32601, `the method ${method} does not exist/is not available`)

/** Some recordings contain the whole JSON-RPC answer, some only its result. */
function resultIn(folder: string, file: string): unknown {
  const content = readFixture<object>(`${folder}/${file}`)
  return 'result' in content ? content.result : content
}

function recording(chain: RecordedChain, height: number): NodeRecording {
  const folder = `${chain}/${height}`
  const block = resultIn(folder, 'block.json') as NodeBlock
  const receipts = resultIn(folder, 'receipts.json') as NodeReceipt[]
  if (!hasFixture(`${folder}/traces.json`)) return { block, receipts, traces: null }
  const recorded = resultIn(folder, 'traces.json') as (Frame | { txHash?: string; result: Frame })[]
  // Recordings may contain the outermost calls alone, in the order of the transactions.
  const traces = recorded.map((each, index) => {
    const txHash = ('txHash' in each && each.txHash) || block.transactions[index]?.hash
    if (!txHash) throw new Error(`${folder}: trace ${index} has no transaction`)
    return { txHash, result: 'result' in each ? each.result : each }
  })
  return { block, receipts, traces }
}

const hex = (value: number) => `0x${value.toString(16)}`

type Method = (params: unknown[]) => unknown

function methodsOf(chainId: number, recordings: ReadonlyMap<number, NodeRecording>): Record<string, Method> {
  const byHash = new Map([...recordings.values()].map((each) => [each.block.hash, each]))
  const heights = [...recordings.keys()]
  const head = Math.max(...heights)

  const heightOf = (tag: unknown) => {
    if (tag === 'earliest') return Math.min(...heights)
    return typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head
  }
  /** By number, tag, or hash: the forms that nodes accept for a block. */
  const find = (at: unknown): NodeRecording | undefined => {
    if (at !== null && typeof at === 'object') {
      const { blockHash, blockNumber } = at as { blockHash?: string; blockNumber?: string }
      return find(blockHash ?? blockNumber)
    }
    return typeof at === 'string' && at.length === 66 ? byHash.get(at) : recordings.get(heightOf(at))
  }
  const blockAt: Method = ([at, full]) => {
    const found = find(at)?.block
    if (!found) return null
    return full ? found : { ...found, transactions: found.transactions.map(({ hash }) => hash) }
  }
  const tracesOf = (method: string, at: unknown, tracer: unknown) => {
    const found = find(at)
    if (!found) throw new RpcFailure(-32000, `block ${String(at)} not found`)
    if (!found.traces) throw unknownMethod(method)
    if ((tracer as { tracer?: string } | undefined)?.tracer !== 'callTracer')
      throw new RpcFailure(-32000, 'only callTracer was recorded')
    return found.traces
  }
  const ofTransaction = <T>(pick: (each: NodeRecording) => T | undefined): T | null => {
    for (const each of recordings.values()) {
      const found = pick(each)
      if (found !== undefined) return found
    }
    return null
  }

  return {
    eth_chainId: () => hex(chainId),
    net_version: () => String(chainId),
    eth_blockNumber: () => hex(head),
    eth_getBlockByNumber: blockAt,
    eth_getBlockByHash: blockAt,
    eth_getBlockReceipts: ([at]) => find(at)?.receipts ?? null,
    eth_getLogs: ([filter]) => logsFor(filter as LogFilter, find, heights, heightOf),
    eth_getTransactionByHash: ([hash]) =>
      ofTransaction(({ block }) => block.transactions.find((each) => each.hash === hash)),
    eth_getTransactionReceipt: ([hash]) =>
      ofTransaction(({ receipts }) => receipts.find((each) => each.transactionHash === hash)),
    // Balances were not recorded: answers as a node that keeps no old state.
    eth_getBalance: ([, at]) => {
      throw new RpcFailure(-32000, `missing trie node: state of block ${String(at)} is not available`)
    },
    debug_traceBlockByHash: ([hash, tracer]) => tracesOf('debug_traceBlockByHash', hash, tracer),
    debug_traceBlockByNumber: ([number, tracer]) => tracesOf('debug_traceBlockByNumber', number, tracer),
    debug_traceTransaction: ([hash, tracer]) => {
      const block = ofTransaction((each) =>
        each.block.transactions.some((transaction) => transaction.hash === hash) ? each.block : undefined,
      )
      if (!block) throw new RpcFailure(-32000, 'transaction not found')
      return tracesOf('debug_traceTransaction', block.hash, tracer).find(({ txHash }) => txHash === hash)
        ?.result
    },
  }
}

interface LogFilter {
  blockHash?: string
  fromBlock?: string
  toBlock?: string
  address?: string | string[]
  topics?: (string | string[] | null)[]
}

function logsFor(
  filter: LogFilter,
  find: (at: unknown) => NodeRecording | undefined,
  heights: readonly number[],
  heightOf: (tag: unknown) => number,
): NodeLog[] {
  const asked = [filter.blockHash].filter((hash) => hash !== undefined)
  if (!filter.blockHash) {
    const [from, to] = [heightOf(filter.fromBlock), heightOf(filter.toBlock)]
    asked.push(...heights.filter((height) => height >= from && height <= to).map(hex))
  }
  return asked.flatMap((at) => {
    const found = find(at)
    if (!found) throw new RpcFailure(-32000, 'unknown block')
    return found.receipts.flatMap((receipt) => receipt.logs).filter((log) => passes(filter, log))
  })
}

/** Left out, null, one value, or any of several. */
const allows = (requested: string | readonly string[] | null | undefined, value: string | undefined) =>
  requested === undefined ||
  requested === null ||
  [requested].flat().some((each) => each.toLowerCase() === value?.toLowerCase())

const passes = ({ address, topics = [] }: LogFilter, log: NodeLog) =>
  allows(address, log.address) && topics.every((requested, index) => allows(requested, log.topics[index]))
