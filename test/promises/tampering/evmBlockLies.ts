import type { Frame, NodeBlock, NodeReceipt, NodeRecording, NodeWithdrawal } from '../../support/recordedNode.ts'
import { type Choose, indexesOf, renumbered, without } from './evmLies.ts'

/** A block with all that a node tells of it. */
export type ReportedBlock = NodeRecording

type Lie = (told: ReportedBlock, choose: Choose) => ReportedBlock | null

const stranger = `0x${'c0ffee'.repeat(7).slice(2)}`
const otherHash = `0x${'de'.repeat(32)}`
const moreThan = (hex: string) => `0x${(BigInt(hex) + 1n).toString(16)}`

/** Lies about transactions, the header, withdrawals and traces. Each gives null where the block offers nothing to lie about. */
export const blockLies = {
  'the value of a transaction is another': (told, choose) => withValue(told, choose, ({ value }) => ({ value: moreThan(value) })),
  'the receiver of a transaction is another': (told, choose) => withValue(told, choose, () => ({ to: stranger })),
  'the sender of a transaction is another': (told, choose) => {
    const at = paying(told, choose)
    const receipts = told.receipts.map((receipt, index) => (index === at ? { ...receipt, from: stranger } : receipt))
    return at === undefined ? null : { ...withTransaction(told, at, () => ({ from: stranger })), receipts }
  },
  'the receiver in a receipt is another': (told, choose) => {
    const at = paying(told, choose)
    return at === undefined ? null : { ...told, receipts: told.receipts.map((each, index) => (index === at ? { ...each, to: stranger } : each)) }
  },
  'the id of a transaction is another': (told) => {
    const at = told.receipts.findIndex(({ logs }) => logs.length > 0)
    if (at < 0) return null
    const receipts = told.receipts.map((each, index) => (index === at ? renamed(each) : each))
    return { ...withTransaction(told, at, () => ({ hash: otherHash })), receipts }
  },
  'a transaction is left out': (told, choose) => {
    const { transactions } = told.block
    return transactions.length === 0 ? null : withHeader(told, { transactions: without(transactions, choose(transactions.length)) })
  },
  'a transaction is left out, with its receipt': (told, choose) => {
    const at = paying(told, choose)
    return at === undefined ? null : both(told, (list) => without(list, at))
  },
  'a transaction is added, with its receipt': (told, choose) => {
    const at = paying(told, choose)
    const [transaction, receipt] = at === undefined ? [] : [told.block.transactions[at], told.receipts[at]]
    if (!transaction || !receipt) return null
    const receipts = [...told.receipts, { ...receipt, transactionHash: otherHash, logs: [] }]
    return { ...withHeader(told, { transactions: [...told.block.transactions, { ...transaction, hash: otherHash }] }), receipts }
  },
  'a transaction is repeated, with its receipt': (told) => both(told, (list) => [...list, ...list.slice(-1)]),
  'two transactions are swapped, with their receipts': (told) => both(told, (list) => [...list.slice(1, 2), ...list.slice(0, 1), ...list.slice(2)]),
  'the block is empty': (told) => both(told, () => []),
  'the time is another': (told) => withHeader(told, { timestamp: moreThan(told.block.timestamp) }),
  'the parent is another': (told) => withHeader(told, { parentHash: otherHash }),
  'a withdrawal is left out': (told, choose) => withWithdrawals(told, (list) => without(list, choose(list.length))),
  'a withdrawal is added': (told) =>
    withWithdrawals(told, (list) => [...list, ...list.slice(-1).map((each) => ({ ...each, index: moreThan(each.index) }))]),
  'a withdrawal is of another amount': (told, choose) => withWithdrawal(told, choose, ({ amount }) => ({ amount: moreThan(amount) })),
  'a withdrawal is to another address': (told, choose) => withWithdrawal(told, choose, () => ({ address: stranger })),
  'the withdrawals are left out': (told) => withWithdrawals(told, () => null),
  'an internal movement is left out': (told) => withInternal(told, () => []),
  'an internal movement is added': (told) => withInternal(told, (frame) => [frame, { ...frame, to: stranger }]),
  'an internal movement is of another amount': (told) => withInternal(told, (frame) => [{ ...frame, value: moreThan(frame.value ?? '0x0') }]),
  'an internal movement is to another receiver': (told) => withInternal(told, (frame) => [{ ...frame, to: stranger }]),
} satisfies Record<string, Lie>

export type BlockLie = keyof typeof blockLies
export const blockLieNames = Object.keys(blockLies) as BlockLie[]

const withHeader = (told: ReportedBlock, more: Partial<NodeBlock>): ReportedBlock => ({ ...told, block: { ...told.block, ...more } })

const both = (told: ReportedBlock, change: <T>(list: readonly T[]) => T[]): ReportedBlock => ({
  ...withHeader(told, { transactions: change(told.block.transactions) }),
  receipts: renumbered(change(told.receipts)),
})

const renamed = ({ logs, ...receipt }: NodeReceipt): NodeReceipt => ({
  ...receipt,
  transactionHash: otherHash,
  logs: logs.map((log) => ({ ...log, transactionHash: otherHash })),
})

/** One that carries value. */
function paying({ block }: ReportedBlock, choose: Choose): number | undefined {
  const able = indexesOf(block.transactions, ({ value, to }) => BigInt(value) > 0n && to !== null)
  return able[choose(able.length)]
}

type Transaction = NodeBlock['transactions'][number]

const withTransaction = (told: ReportedBlock, at: number, change: (transaction: Transaction) => Partial<Transaction>): ReportedBlock =>
  withHeader(told, { transactions: told.block.transactions.map((each, index) => (index === at ? { ...each, ...change(each) } : each)) })

function withValue(told: ReportedBlock, choose: Choose, change: (transaction: Transaction) => Partial<Transaction>): ReportedBlock | null {
  const at = paying(told, choose)
  return at === undefined ? null : withTransaction(told, at, change)
}

/** @param change null leaves the list out */
function withWithdrawals(told: ReportedBlock, change: (list: NodeWithdrawal[]) => NodeWithdrawal[] | null): ReportedBlock | null {
  const { withdrawals, ...block } = told.block
  if (!withdrawals || withdrawals.length === 0) return null
  const changed = change(withdrawals)
  return { ...told, block: { ...block, ...(changed ? { withdrawals: changed } : {}) } }
}

const withWithdrawal = (told: ReportedBlock, choose: Choose, change: (each: NodeWithdrawal) => Partial<NodeWithdrawal>): ReportedBlock | null =>
  withWithdrawals(told, (list) => {
    const at = choose(list.length)
    return list.map((each, index) => (index === at ? { ...each, ...change(each) } : each))
  })

/** Changes the calls of the outermost one that carry value. */
function withInternal(told: ReportedBlock, change: (frame: Frame) => Frame[]): ReportedBlock | null {
  const carries = (frame: Frame) => frame.type === 'CALL' && BigInt(frame.value ?? '0x0') > 0n
  if (!told.traces?.some(({ result }) => result.calls?.some(carries))) return null
  const traces = told.traces.map((trace) => {
    const calls = (trace.result.calls ?? []).flatMap((frame) => (carries(frame) ? change(frame) : [frame]))
    return { ...trace, result: { ...trace.result, ...(trace.result.calls ? { calls } : {}) } }
  })
  return { ...told, traces }
}
