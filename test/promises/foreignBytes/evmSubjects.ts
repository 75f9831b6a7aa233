import { evmBlockReader } from '../../../src/chains/evm/read/blockReader.ts'
import { createSurvey } from '../../../src/chains/evm/read/capabilities.ts'
import { headerHash } from '../../../src/chains/evm/read/headerHash.ts'
import { receiptsRoot } from '../../../src/chains/evm/read/receiptsRoot.ts'
import { transactionsRoot } from '../../../src/chains/evm/read/transactionsRoot.ts'
import { createProviders } from '../../../src/chains/providers/providers.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import { readFixture } from '../../fixtures/readFixture.ts'
import { readByBytes } from '../../support/readByBytes.ts'
import type { NodeRecording } from '../../support/recordedNode.ts'
import { configured, MissingMethod, observe } from './configured.ts'
import { endpoint, names, readsOf, type Subject } from './subject.ts'

const log = createLog('test', 'silent')

export function evmSubjects(): Subject[] {
  const [pick, whole] = [cut('ethereum/15753009', 4), cut('ethereum/18000000', 3)]
  const polygon = asRecorded('polygon/38102393', 4)
  return [
    evmSubject('ethereum, proven', 'ETHEREUM', pick, {}),
    evmSubject('ethereum, with withdrawals, proven', 'ETHEREUM', whole, {}),
    evmSubject('ethereum, trusted', 'ETHEREUM', pick, { trusted: true }),
    evmSubject('ethereum, trusted, by logs', 'ETHEREUM', pick, { trusted: true }, ['eth_getBlockReceipts']),
    evmSubject('polygon, trusted', 'POLYGON', polygon, { trusted: true }),
  ]
}

const resultOf = <T>(content: unknown): T => (content as { result?: T }).result ?? (content as T)

function asRecorded(folder: string, count: number): NodeRecording {
  const block = resultOf<NodeRecording['block']>(readFixture(`${folder}/block.json`))
  const receipts = resultOf<NodeRecording['receipts']>(readFixture(`${folder}/receipts.json`))
  const traces = tracesOf(folder, block)
  // The smallest ones that moved something.
  const chosen = receipts
    .map((each, index) => ({
      index,
      size: each.logs.length === 0 ? Number.POSITIVE_INFINITY : JSON.stringify(each).length,
    }))
    .toSorted((a, b) => a.size - b.size)
    .slice(0, count)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b)
  const picked = renumbered(chosen.map((index) => receipts[index] as NodeRecording['receipts'][number]))
  const blooms = picked.map(({ logsBloom }) => Buffer.from(logsBloom.slice(2), 'hex'))
  const bloom = Buffer.alloc(256).map((_, index) =>
    blooms.reduce((byte, each) => byte | (each[index] ?? 0), 0),
  )
  return {
    block: Object.assign({}, block, {
      logsBloom: `0x${Buffer.from(bloom).toString('hex')}`,
      transactions: chosen.map(
        (index) => block.transactions[index] as NodeRecording['block']['transactions'][number],
      ),
    }),
    receipts: picked,
    traces: traces && chosen.map((index) => traces[index] as NonNullable<NodeRecording['traces']>[number]),
  }
}

function tracesOf(folder: string, block: NodeRecording['block']): NodeRecording['traces'] {
  if (!/15753009|38102393/.test(folder)) return null
  const traces = resultOf<({ txHash?: string; result?: object } | object)[]>(
    readFixture(`${folder}/traces.json`),
  )
  return traces.map((each, index) => ({
    txHash: block.transactions[index]?.hash ?? '',
    result: ('result' in each ? each.result : each) as NonNullable<NodeRecording['traces']>[number]['result'],
  }))
}

function renumbered(receipts: NodeRecording['receipts']): NodeRecording['receipts'] {
  let next = 0
  return receipts.map((receipt) => ({
    ...receipt,
    logs: receipt.logs.map((each) => ({ ...each, logIndex: `0x${(next++).toString(16)}` })),
  }))
}

/** A part of a recorded block, with the roots and the hash that belong to it. */
function cut(folder: string, count: number): NodeRecording {
  const part = asRecorded(folder, count)
  const { block, receipts } = part
  const { withdrawals } = block as { withdrawals?: object[] }
  const made = {
    ...block,
    receiptsRoot: receiptsRoot(receipts as never),
    transactionsRoot: transactionsRoot(
      block.transactions.map((each) => ({
        hash: each.hash,
        type: Number(each.type ?? 0),
        fields: each as never,
      })),
    ),
  }
  const hash = headerHash(made)
  if (hash === null) throw new Error('a header that cannot be hashed')
  return JSON.parse(
    JSON.stringify({ ...part, block: { ...made, ...(withdrawals ? { withdrawals } : {}) } }).replaceAll(
      block.hash,
      hash,
    ),
  ) as NodeRecording
}

function evmSubject(
  name: string,
  chain: string,
  { block, receipts, traces }: NodeRecording,
  rules: object,
  without: readonly string[] = [],
): Subject {
  const configuration = configured(chain)
  const height = Number(block.number)
  const hashes = { ...block, transactions: block.transactions.map((each) => each.hash) }
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => `0x${Number(configuration.network).toString(16)}`,
    eth_getBlockByNumber: ([, full]) => (full ? block : hashes),
    eth_getBlockByHash: ([, full]) => (full ? block : hashes),
    eth_getBlockReceipts: () => receipts,
    eth_getLogs: () => receipts.flatMap(({ logs }) => logs),
    eth_getTransactionByHash: ([hash]) => block.transactions.find((each) => each.hash === hash) ?? null,
    eth_getTransactionReceipt: ([hash]) => receipts.find((each) => each.transactionHash === hash) ?? null,
    eth_getBalance: () => '0x10',
    debug_traceBlockByHash: () => traces,
    debug_traceTransaction: ([hash]) => traces?.find((each) => each.txHash === hash)?.result ?? null,
  }
  const missing = new Set([
    ...without,
    ...(traces ? [] : ['debug_traceBlockByHash', 'debug_traceTransaction']),
  ])
  return {
    name,
    open: (nodes) => {
      const survey = createSurvey({ ...configuration, ...rules }, log)
      const providers = createProviders(
        nodes.map((node, index) => (counted) => readByBytes(endpoint(names[index] ?? '', counted, node))),
        { observe, identify: survey.identify },
      )
      return evmBlockReader({ providers, survey, rules: { ...configuration, ...rules }, crossCheckMs: 1 })
    },
    truth: (method, params) => {
      const answer = answers[method]
      if (!answer || missing.has(method)) throw new MissingMethod(method)
      return answer(params as unknown[])
    },
    reads: readsOf(height, [block.transactions[0]?.hash ?? ''], {
      hasInternal: traces !== null && chain === 'ETHEREUM',
    }),
  }
}
