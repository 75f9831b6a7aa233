import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import type { BlockReader, Transfer } from '../../../../src/chains/chain.ts'
import { evmBlockReader } from '../../../../src/chains/evm/read/blockReader.ts'
import { createSurvey } from '../../../../src/chains/evm/read/capabilities.ts'
import { receiptsRoot } from '../../../../src/chains/evm/read/receiptsRoot.ts'
import type { RpcLog, RpcReceipt } from '../../../../src/chains/evm/rpcTypes.ts'
import type { JsonRpc } from '../../../../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../../../../src/chains/providers/providers.ts'
import type { SilenceOptions } from '../../../../src/chains/providers/silence.ts'
import { createLog } from '../../../../src/platform/telemetry/log.ts'
import { sender, testChain } from '../../../support/indexed.ts'
import {
  hash,
  hexOf,
  type MadeBlock,
  madeBlock,
  madeNode,
  sealed,
  tokenTransfer,
  transactionsRootOf,
} from '../../../support/madeNode.ts'
import { readByBytes } from '../../../support/readByBytes.ts'
import { type SlowTransaction, slowTransactionHash } from '../../../support/slowTransaction.ts'
import type { NodeOfView, ProtocolDialect } from '../dialect.ts'
import type { Transaction, TreeBlock, TreeTransfer } from '../tree.ts'
import { cached, onlyNode } from './endpoint.ts'
import { evmDialect } from './evm.ts'

/** The contract whose inner calls transfer the native coin. */
const program = `0x${'9a'.repeat(20)}`

/** Ethereum by the family's own reader: final by depth, or with one confirmation by the tag `finalized`. */
export const evmProtocolDialect: ProtocolDialect = {
  ...evmDialect,
  chain: (confirmations) => ({
    ...testChain({ ETHEREUM_CONFIRMATIONS: String(confirmations) }),
    byFinalizedTag: confirmations === 1,
  }),
  finalDepth: 4,
  separateCalls: true,
  transactionId: (nonce, transfers) => slowTransactionHash(signed(nonce, transfers)),
  blockId: (block) => madeOf({ ...block, id: '' }).block.hash,
  transfersOf: (block) => block.placed.flatMap(transfersOf),
  readerOf: (source, point) => readerOver([onlyNode(source, point)]),
  readerOver,
}

function readerOver(nodes: readonly NodeOfView[], silence: SilenceOptions = { blockMs: 1000 }): BlockReader {
  const rules = testChain()
  const survey = createSurvey(rules, createLog('test', 'silent'))
  const observe = { called: () => {}, refused: () => {} }
  const providers = createProviders<JsonRpc>(nodes.map(nodeOf), {
    observe,
    identify: survey.identify,
    silence,
  })
  return evmBlockReader({ providers, survey, rules, crossCheckMs: silence.crossCheckMs })
}

const alike = (transfers: readonly TreeTransfer[], index: number) =>
  transfers
    .slice(0, index)
    .filter(({ to, amount }) => to === transfers[index]?.to && amount === transfers[index]?.amount).length

const transfersOf = ({ transaction: { id, transfers }, firstLog }: TreeBlock['placed'][number]): Transfer[] =>
  transfers.flatMap(({ kind, contract, to, amount }, index): Transfer[] => {
    if (kind === 'failed') return []
    const internal = `trace:${program}:${to}:${amount}:${alike(transfers, index)}`
    const keys = { log: `log:${firstLog + index}`, internal, native: 'native' }
    return [
      {
        txId: id,
        movementKey: keys[kind],
        contract,
        from: kind === 'internal' ? program : sender,
        to,
        amount,
      },
    ]
  })

/** A transfer of the native coin, or a call of a contract that does the rest. */
function signed(nonce: number, transfers: readonly TreeTransfer[]): SlowTransaction {
  const [first] = transfers
  const carries = first?.kind === 'native' || first?.kind === 'failed'
  const moved = JSON.stringify(transfers.map((each) => [each.kind, each.contract, each.to, `${each.amount}`]))
  return {
    type: '0x2',
    chainId: '0x1',
    nonce: hexOf(nonce),
    maxFeePerGas: '0x9',
    maxPriorityFeePerGas: '0x1',
    gas: '0x5208',
    from: sender,
    to: carries ? first.to : program,
    value: hexOf(carries ? first.amount : 0n),
    input: carries ? '0x' : `0x${createHash('sha256').update(moved).digest('hex')}`,
    accessList: [],
    v: '0x1',
    r: '0x1',
    s: '0x1',
  }
}

/** Unrelated logs before a transaction's own, to reach its log index. */
const filler = { address: program, topics: [hash('filler')], data: '0x' }

const madeOf = cached((block: TreeBlock): MadeBlock => {
  let logIndex = 0
  const plain = madeBlock(block.height)
  const transactions = block.placed.map(({ transaction: { id, nonce, transfers } }) => {
    const fields = signed(nonce, transfers)
    return { ...fields, input: fields.input as Hex, hash: id, blockNumber: hexOf(block.height) }
  })
  const receipts = block.placed.map(({ transaction: { id, transfers }, firstLog }, index): RpcReceipt => {
    const own = transfers.flatMap(({ kind, contract, to, amount }) =>
      kind === 'log' && contract ? [tokenTransfer(contract, sender, to, amount)] : [],
    )
    const before =
      own.length > 0 ? Array.from({ length: Math.max(0, firstLog - logIndex) }, () => filler) : []
    const made = madeBlock(block.height, [
      { logs: [...before, ...own], status: transfers[0]?.kind === 'failed' ? '0x0' : '0x1' },
    ])
    const [receipt] = made.receipts as [RpcReceipt]
    const logs = receipt.logs.map(
      (log): RpcLog => ({ ...log, logIndex: hexOf(logIndex++), transactionHash: id }),
    )
    return {
      ...receipt,
      transactionHash: id,
      from: sender,
      to: transactions[index]?.to ?? null,
      cumulativeGasUsed: hexOf(21_000 * (index + 1)),
      logs,
    }
  })
  const bloom = madeBlock(block.height, [{ logs: receipts.flatMap(({ logs }) => logs) }]).block.logsBloom
  const made = sealed({
    block: {
      ...plain.block,
      parentHash: block.parentId,
      timestamp: hexOf(Math.floor(block.time.getTime() / 1000)),
      logsBloom: bloom,
      receiptsRoot: receiptsRoot(receipts),
      transactionsRoot: transactionsRootOf(transactions),
      transactions,
      // Two blocks with the same transactions may be on two branches.
      stateRoot: `0x${createHash('sha256').update(block.content).digest('hex')}`,
    } as MadeBlock['block'],
    receipts,
  })
  // A false node serves another block's content under this block's id.
  return block.id === '' || made.block.hash === block.id
    ? made
    : { ...made, block: { ...made.block, hash: block.id } }
})

function nodeOf({ name, view, point, onRequest }: NodeOfView) {
  const node = madeNode(name, [], { without: new Set() })
  const shown = () => {
    const tip = view.tip()
    return [...view.blocks().filter(({ height }) => height < tip.height), tip]
  }
  Object.defineProperty(node, 'blocks', {
    get: () => new Map(shown().map((block) => [block.height, madeOf(block)])),
  })
  Object.defineProperty(node, 'finalized', { get: () => view.final()?.height ?? null })
  node.answer.debug_traceBlockByHash = ([id]) => {
    const block = shown().find((each) => each.id === id)
    return block && (block.calls ?? block.placed).map(traceOf)
  }
  const open: typeof node.open = (gate) => {
    const rpc = node.open(gate)
    const call: JsonRpc['call'] = async (method, params) => {
      node.calls.length = 0
      const [of] = params as readonly unknown[]
      onRequest?.(typeof of === 'string' && /^[a-z]+$/.test(of) ? 'tip' : 'block')
      await point('read')
      return rpc.call(method, params)
    }
    return readByBytes({
      ...rpc,
      call,
      callMany: (method, all) => Promise.all(all.map((params) => call(method, params))),
    })
  }
  return open
}

const traceOf = ({ transaction: { id, transfers } }: { transaction: Transaction }) => ({
  txHash: id,
  result: {
    type: 'CALL',
    from: sender,
    to: program,
    calls: transfers.flatMap(({ kind, to, amount }) =>
      kind === 'internal' ? [{ type: 'CALL', from: program, to, value: hexOf(amount) }] : [],
    ),
  },
})
