import type {
  Frame,
  NodeBlock,
  NodeReceipt,
  NodeRecording,
  NodeWithdrawal,
} from '../../support/recordedNode.ts'
import { type Choose, indexesOf, renumbered, without } from './evmForgeries.ts'

/** A block with everything that a node serves of it. */
export type ServedBlock = NodeRecording

type Lie = (served: ServedBlock, choose: Choose) => ServedBlock | null

const outsider = `0x${'c0ffee'.repeat(7).slice(2)}`
const otherHash = `0x${'de'.repeat(32)}`
const moreThan = (hex: string) => `0x${(BigInt(hex) + 1n).toString(16)}`

/**
 * False answers about transactions, the header, withdrawals and traces. Each returns null for a block that it
 * does not apply to.
 */
export const blockForgeries = {
  'the value of a transaction is another': (served, choose) =>
    withValue(served, choose, ({ value }) => ({ value: moreThan(value) })),
  'the receiver of a transaction is another': (served, choose) =>
    withValue(served, choose, () => ({ to: outsider })),
  'the sender of a transaction is another': (served, choose) => {
    const at = paying(served, choose)
    const receipts = served.receipts.map((receipt, index) =>
      index === at ? { ...receipt, from: outsider } : receipt,
    )
    return at === undefined ? null : { ...withTransaction(served, at, () => ({ from: outsider })), receipts }
  },
  'the receiver in a receipt is another': (served, choose) => {
    const at = paying(served, choose)
    return at === undefined
      ? null
      : {
          ...served,
          receipts: served.receipts.map((each, index) => (index === at ? { ...each, to: outsider } : each)),
        }
  },
  'the id of a transaction is another': (served) => {
    const at = served.receipts.findIndex(({ logs }) => logs.length > 0)
    if (at < 0) return null
    const receipts = served.receipts.map((each, index) => (index === at ? renamed(each) : each))
    return { ...withTransaction(served, at, () => ({ hash: otherHash })), receipts }
  },
  'a transaction is left out': (served, choose) => {
    const { transactions } = served.block
    return transactions.length === 0
      ? null
      : withHeader(served, { transactions: without(transactions, choose(transactions.length)) })
  },
  'a transaction is left out, with its receipt': (served, choose) => {
    const at = paying(served, choose)
    return at === undefined ? null : both(served, (list) => without(list, at))
  },
  'a transaction is added, with its receipt': (served, choose) => {
    const at = paying(served, choose)
    const [transaction, receipt] =
      at === undefined ? [] : [served.block.transactions[at], served.receipts[at]]
    if (!transaction || !receipt) return null
    const receipts = [...served.receipts, { ...receipt, transactionHash: otherHash, logs: [] }]
    return {
      ...withHeader(served, {
        transactions: [...served.block.transactions, { ...transaction, hash: otherHash }],
      }),
      receipts,
    }
  },
  'a transaction is repeated, with its receipt': (served) =>
    both(served, (list) => [...list, ...list.slice(-1)]),
  'two transactions are swapped, with their receipts': (served) =>
    both(served, (list) => [...list.slice(1, 2), ...list.slice(0, 1), ...list.slice(2)]),
  'the block is empty': (served) => both(served, () => []),
  'the time is another': (served) => withHeader(served, { timestamp: moreThan(served.block.timestamp) }),
  'the parent is another': (served) => withHeader(served, { parentHash: otherHash }),
  'a withdrawal is left out': (served, choose) =>
    withWithdrawals(served, (list) => without(list, choose(list.length))),
  'a withdrawal is added': (served) =>
    withWithdrawals(served, (list) => [
      ...list,
      ...list.slice(-1).map((each) => ({ ...each, index: moreThan(each.index) })),
    ]),
  'a withdrawal is of another amount': (served, choose) =>
    withWithdrawal(served, choose, ({ amount }) => ({ amount: moreThan(amount) })),
  'a withdrawal is to another address': (served, choose) =>
    withWithdrawal(served, choose, () => ({ address: outsider })),
  'the withdrawals are left out': (served) => withWithdrawals(served, () => null),
  'an internal movement is left out': (served) => withInternal(served, () => []),
  'an internal movement is added': (served) =>
    withInternal(served, (frame) => [frame, { ...frame, to: outsider }]),
  'an internal movement is of another amount': (served) =>
    withInternal(served, (frame) => [{ ...frame, value: moreThan(frame.value ?? '0x0') }]),
  'an internal movement is to another receiver': (served) =>
    withInternal(served, (frame) => [{ ...frame, to: outsider }]),
} satisfies Record<string, Lie>

export type BlockForgery = keyof typeof blockForgeries
export const blockForgeryNames = Object.keys(blockForgeries) as BlockForgery[]

const withHeader = (served: ServedBlock, more: Partial<NodeBlock>): ServedBlock => ({
  ...served,
  block: { ...served.block, ...more },
})

const both = (served: ServedBlock, change: <T>(list: readonly T[]) => T[]): ServedBlock => ({
  ...withHeader(served, { transactions: change(served.block.transactions) }),
  receipts: renumbered(change(served.receipts)),
})

const renamed = ({ logs, ...receipt }: NodeReceipt): NodeReceipt => ({
  ...receipt,
  transactionHash: otherHash,
  logs: logs.map((log) => ({ ...log, transactionHash: otherHash })),
})

/** A transaction with value. */
function paying({ block }: ServedBlock, choose: Choose): number | undefined {
  const able = indexesOf(block.transactions, ({ value, to }) => BigInt(value) > 0n && to !== null)
  return able[choose(able.length)]
}

type Transaction = NodeBlock['transactions'][number]

const withTransaction = (
  served: ServedBlock,
  at: number,
  change: (transaction: Transaction) => Partial<Transaction>,
): ServedBlock =>
  withHeader(served, {
    transactions: served.block.transactions.map((each, index) =>
      index === at ? { ...each, ...change(each) } : each,
    ),
  })

function withValue(
  served: ServedBlock,
  choose: Choose,
  change: (transaction: Transaction) => Partial<Transaction>,
): ServedBlock | null {
  const at = paying(served, choose)
  return at === undefined ? null : withTransaction(served, at, change)
}

/** @param change null removes the list */
function withWithdrawals(
  served: ServedBlock,
  change: (list: NodeWithdrawal[]) => NodeWithdrawal[] | null,
): ServedBlock | null {
  const { withdrawals, ...block } = served.block
  if (!withdrawals || withdrawals.length === 0) return null
  const changed = change(withdrawals)
  return { ...served, block: { ...block, ...(changed ? { withdrawals: changed } : {}) } }
}

const withWithdrawal = (
  served: ServedBlock,
  choose: Choose,
  change: (each: NodeWithdrawal) => Partial<NodeWithdrawal>,
): ServedBlock | null =>
  withWithdrawals(served, (list) => {
    const at = choose(list.length)
    return list.map((each, index) => (index === at ? { ...each, ...change(each) } : each))
  })

/** Changes calls with value directly below the outermost one. */
function withInternal(served: ServedBlock, change: (frame: Frame) => Frame[]): ServedBlock | null {
  const carries = (frame: Frame) => frame.type === 'CALL' && BigInt(frame.value ?? '0x0') > 0n
  if (!served.traces?.some(({ result }) => result.calls?.some(carries))) return null
  const traces = served.traces.map((trace) => {
    const calls = (trace.result.calls ?? []).flatMap((frame) => (carries(frame) ? change(frame) : [frame]))
    return { ...trace, result: { ...trace.result, ...(trace.result.calls ? { calls } : {}) } }
  })
  return { ...served, traces }
}
