import type { Hex } from 'viem'
import { evmBlockReader } from '../../src/chains/evm/read/blockReader.ts'
import { bloomOf } from '../../src/chains/evm/read/bloom.ts'
import { createSurvey, type SurveyedChain } from '../../src/chains/evm/read/capabilities.ts'
import type { EvmReaderContext } from '../../src/chains/evm/read/readerContext.ts'
import { receiptsRoot } from '../../src/chains/evm/read/receiptsRoot.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../../src/chains/evm/rpcTypes.ts'
import { type JsonRpc, RpcError } from '../../src/chains/providers/jsonRpc.ts'
import { createProviders, type Gate } from '../../src/chains/providers/providers.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { readByBytes } from './readByBytes.ts'
import { type SlowHeader, slowHeaderHash } from './slowHeader.ts'
import { encodeTransaction, type SlowTransaction, slowTransactionHash } from './slowTransaction.ts'
import { slowRoot } from './slowTrie.ts'

/** Synthetic blocks with valid hashes, and nodes in this process that answer as EVM nodes do. */

export interface MadeTransaction {
  hash?: string
  from?: string
  to?: string | null
  value?: string
  type?: string
  input?: string
  /** Of a deposit of an OP chain. */
  mint?: string
  /** Status in the receipt; succeeded by default. */
  status?: string
  contractAddress?: string
  logs?: { address: string; topics: string[]; data: string }[]
}

export interface MadeBlock {
  block: RpcBlock
  receipts: RpcReceipt[]
}

export const zeroAddress = `0x${'0'.repeat(40)}`
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const hash = (tag: string, number = 0) =>
  `0x${Buffer.from(tag).toString('hex').padEnd(48, '0')}${number.toString(16).padStart(16, '0')}`
export const account = (number: number) => `0x${number.toString(16).padStart(40, 'a')}`
export const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
export const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
export const hexOf = (value: bigint | number) => `0x${value.toString(16)}`
const bloomHex = (logs: Iterable<{ address: string; topics: string[] }>) =>
  `0x${Buffer.from(bloomOf(logs)).toString('hex')}`

export const tokenTransfer = (contract: string, from: string, to: string, amount: bigint) => ({
  address: contract,
  topics: [transferTopic, topicOf(from), topicOf(to)],
  data: `0x${word(amount)}`,
})

/** An id that no block has, of a height and a fork: made blocks have the hashes of their headers. */
export const blockHash = (height: number, fork = 'a') => hash(`block ${fork}`, height)

/** Types that can be encoded; transactions of other types have an invented hash. */
const encodable = new Set([0, 1, 2, 3, 4, 0x6a, 0x7e])
const noUncles = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

function listedTransaction(
  {
    hash: given,
    from = account(1),
    to = account(2),
    value = '0x0',
    type = '0x2',
    input = '0x',
    mint = '0x0',
  }: MadeTransaction,
  name: string,
  index: number,
) {
  const fields = {
    from,
    to,
    value,
    type,
    input,
    nonce: hexOf(index),
    gas: '0x5208',
    chainId: '0x1',
    accessList: [],
  }
  const prices = { gasPrice: '0x7', maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x1' }
  // Not a real signature: the numbers make each transaction unique.
  const signature = { v: '0x1', r: hash(`r ${name}`, index), s: '0x1' }
  const ofTypes = {
    maxFeePerBlobGas: '0x1',
    blobVersionedHashes: [],
    authorizationList: [],
    sourceHash: hash(`deposit ${name}`, index),
    mint,
  }
  const whole: SlowTransaction = { ...fields, ...prices, ...signature, ...ofTypes }
  return {
    ...whole,
    ...fields,
    hash: given ?? (encodable.has(Number(type)) ? slowTransactionHash(whole) : hash(`tx ${name}`, index)),
  }
}

/** The root of the transactions; an invented one if some cannot be encoded. */
export const transactionsRootOf = (transactions: readonly RpcTransaction[]): string =>
  transactions.every(({ type }) => encodable.has(Number(type ?? '0x0')))
    ? slowRoot(transactions.map((each) => encodeTransaction(each as unknown as SlowTransaction)))
    : hash('transactions root')

/** The same block with the hash of its header recomputed, also in its receipts. */
export function sealed({ block, receipts }: MadeBlock): MadeBlock {
  const id = slowHeaderHash(block as unknown as SlowHeader)
  return {
    block: { ...block, hash: id },
    receipts: receipts.map((receipt) => ({
      ...receipt,
      blockHash: id,
      logs: receipt.logs.map((log) => ({ ...log, blockHash: id })),
    })),
  }
}

/** @param fork names the branch; `parentFork` that of its parent */
export function madeBlock(
  height: number,
  transactions: readonly MadeTransaction[] = [],
  fork = 'a',
  parentFork = fork,
): MadeBlock {
  let logIndex = 0
  const listed = transactions.map((each, index) => ({
    ...listedTransaction(each, `${fork}${height}`, index),
    blockNumber: hexOf(height),
  }))
  const receipts = transactions.map(({ status = '0x1', contractAddress, logs = [] }, index): RpcReceipt => {
    const transaction = listed[index] as (typeof listed)[number]
    return {
      transactionHash: transaction.hash,
      blockHash: '',
      blockNumber: hexOf(height),
      from: transaction.from,
      to: transaction.to,
      type: transaction.type,
      status,
      cumulativeGasUsed: hexOf(21_000 * (index + 1)),
      contractAddress: contractAddress ?? null,
      logsBloom: bloomHex(logs),
      logs: logs.map(
        (log): RpcLog => ({
          ...log,
          logIndex: hexOf(logIndex++),
          transactionHash: transaction.hash,
          blockHash: '',
        }),
      ),
    }
  })
  const block: RpcBlock & Omit<SlowHeader, keyof RpcBlock> = {
    number: hexOf(height),
    hash: '',
    parentHash: blockHash(height - 1, parentFork),
    timestamp: hexOf(1_700_000_000 + 12 * height),
    logsBloom: bloomHex(receipts.flatMap(({ logs }) => logs)),
    receiptsRoot: receiptsRoot(receipts),
    transactionsRoot: transactionsRootOf(listed),
    miner: account(99),
    transactions: listed,
    sha3Uncles: noUncles,
    stateRoot: hash(`state ${fork}`, height) as Hex,
    difficulty: '0x0',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    extraData: '0x',
    mixHash: hash('mix', height) as Hex,
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
  }
  return sealed({ block, receipts })
}

export interface MadeNode {
  name: string
  blocks: Map<number, MadeBlock>
  chainId: number
  /** Methods that it does not have. */
  without: Set<string>
  /** Replaces an answer; may throw. */
  answer: Record<string, (params: unknown[], truth: () => unknown) => unknown>
  /** Calls since the test's last check, as `method first-parameter`. */
  calls: string[]
  finalized: number | null
  open(gate: Gate): JsonRpc
}

const inRange = ({ block }: MadeBlock, from: number, to: number) =>
  Number(block.number) >= from && Number(block.number) <= to

export function madeNode(
  name: string,
  blocks: readonly MadeBlock[],
  change: Partial<Omit<MadeNode, 'name' | 'blocks' | 'open'>> = {},
): MadeNode {
  const node: MadeNode = {
    name,
    blocks: new Map(blocks.map((each) => [Number(each.block.number), each])),
    chainId: 1,
    without: new Set(['debug_traceBlockByHash', 'debug_traceTransaction']),
    answer: {},
    calls: [],
    finalized: null,
    open: (gate) =>
      readByBytes({
        name,
        call: (method: string, params: unknown[]) => gate(method, async () => one(method, params)),
        callMany: (method: string, params: unknown[][]) =>
          gate(method, async () => params.map((each) => one(method, each))),
        close: async () => {},
      }),
    ...change,
  }
  const head = () => Math.max(...node.blocks.keys())
  const byId = (id: unknown) => all().find(({ block }) => block.hash === id)
  const at = (tag: unknown) => {
    if (tag === 'latest') return node.blocks.get(head())
    if (tag === 'finalized') return node.finalized === null ? undefined : node.blocks.get(node.finalized)
    return node.blocks.get(Number(tag))
  }
  const all = () => [...node.blocks.values()]

  function one(method: string, params: unknown[]): unknown {
    node.calls.push(
      `${method} ${typeof params[0] === 'object' ? JSON.stringify(params[0]) : String(params[0])}`,
    )
    if (node.without.has(method))
      throw new RpcError(`${name}: ${method}`, -32601, `the method ${method} does not exist/is not available`)
    const truth = () => truthOf(method, params)
    const answer = node.answer[method]
    return (answer ? answer(params, truth) : truth()) ?? null
  }

  function truthOf(method: string, [first, second]: unknown[]): unknown {
    switch (method) {
      case 'eth_chainId':
        return hexOf(node.chainId)
      case 'eth_getBlockByNumber': {
        const block = at(first)?.block
        return (
          block && (second ? block : { ...block, transactions: block.transactions.map((each) => each.hash) })
        )
      }
      case 'eth_getBlockByHash': {
        const block = byId(first)?.block
        return (
          block && (second ? block : { ...block, transactions: block.transactions.map((each) => each.hash) })
        )
      }
      case 'eth_getBlockReceipts':
        return at(first)?.receipts
      case 'eth_getLogs': {
        const {
          blockHash: id,
          fromBlock,
          toBlock,
        } = first as { blockHash?: string; fromBlock?: string; toBlock?: string }
        const found = id
          ? all().filter(({ block }) => block.hash === id)
          : all().filter((each) => inRange(each, Number(fromBlock), Number(toBlock)))
        return found.flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs))
      }
      case 'eth_getTransactionByHash':
        return all()
          .flatMap(({ block }) => block.transactions)
          .find((each) => each.hash === first)
      case 'eth_getTransactionReceipt':
        return all()
          .flatMap(({ receipts }) => receipts)
          .find((each) => each.transactionHash === first)
      default:
        throw new Error(`the made node has no ${method}`)
    }
  }
  return node
}

export interface MadeChain extends SurveyedChain {
  ownReceipts: boolean
  keepEmpty?: boolean
  trusted?: boolean
  crossCheckMs?: number
}

/** A reader of these nodes, the best one first. */
export function madeReader(nodes: readonly MadeNode[], change: Partial<MadeChain> = {}) {
  const chain: MadeChain = {
    network: '1',
    nativeLog: null,
    ownReceipts: true,
    internalTransfers: 'auto',
    ...change,
  }
  const refused: string[] = []
  const unproven: string[] = []
  const fallbacks: string[] = []
  const survey = createSurvey(chain, createLog('test', 'silent'))
  const providers = createProviders<JsonRpc>(
    nodes.map((node) => node.open),
    {
      observe: { called: () => {}, refused: (provider) => void refused.push(provider) },
      identify: survey.identify,
    },
  )
  const ctx: EvmReaderContext = {
    providers,
    survey,
    rules: chain,
    crossCheckMs: chain.crossCheckMs,
    unproven: (...what) => void unproven.push(what.join(' ')),
    notUnderstood: (provider) => void fallbacks.push(provider),
  }
  return { ctx, reader: evmBlockReader(ctx), survey, providers, refused, unproven, fallbacks }
}
