import type { NodeLog, NodeReceipt } from '../../support/recordedNode.ts'

/** Chooses an index below `count`. */
export type Choose = (count: number) => number

/** False answers about a block's receipts. Each returns null for a block that it does not apply to. */
export const receiptForgeries = {
  'a log is left out': (receipts, choose) =>
    withLogs(receipts, choose, (logs) => without(logs, choose(logs.length))),
  'a log is left out and the gap closed': (receipts, choose) => {
    const changed = withLogs(receipts, choose, (logs) => without(logs, choose(logs.length)))
    return changed && renumbered(changed)
  },
  'the last log is left out': (receipts) => {
    const at = receipts.findLastIndex(({ logs }) => logs.length > 0)
    return at < 0 ? null : replaced(receipts, at, (receipt) => ({ logs: receipt.logs.slice(0, -1) }))
  },
  'the logs of a transaction are left out, and its bloom': (receipts, choose) => {
    const changed = withLogs(receipts, choose, () => [], { logsBloom: `0x${'00'.repeat(256)}` })
    return changed && renumbered(changed)
  },
  'an amount is another': (receipts, choose) =>
    withTransfer(receipts, choose, (log) => ({ data: `${log.data.slice(0, -1)}${otherDigit(log.data)}` })),
  'a receiver is another': (receipts, choose) =>
    withTransfer(receipts, choose, ({ topics: [event = '', from = ''] }) => ({
      topics: [event, from, `0x${'0'.repeat(24)}${'c0ffee'.repeat(7).slice(2)}`],
    })),
  'a token is another': (receipts, choose) =>
    withTransfer(receipts, choose, () => ({ address: `0x${'c0ffee'.repeat(7).slice(2)}` })),
  'a log is added': (receipts, choose) => {
    const changed = withLogs(receipts, choose, (logs) => [...logs, forgery(logs.at(-1) as NodeLog)])
    return changed && renumbered(changed)
  },
  'a log is repeated': (receipts, choose) => {
    const changed = withLogs(receipts, choose, (logs) => [...logs, logs.at(-1) as NodeLog])
    return changed && renumbered(changed)
  },
  'a log is moved to the transaction after it': (receipts, choose) => {
    const able = indexesOf(receipts, ({ logs }, index) => logs.length > 0 && index + 1 < receipts.length)
    const at = able[choose(able.length)]
    const [giver, taker] = at === undefined ? [] : [receipts[at], receipts[at + 1]]
    if (at === undefined || !giver || !taker) return null
    const moved = { ...(giver.logs.at(-1) as NodeLog), transactionHash: taker.transactionHash }
    return replaced(
      replaced(receipts, at, () => ({ logs: giver.logs.slice(0, -1) })),
      at + 1,
      () => ({ logs: [moved, ...taker.logs] }),
    )
  },
  'a status is turned around': (receipts, choose) =>
    receipts.length === 0
      ? null
      : replaced(receipts, choose(receipts.length), ({ status }) => ({
          status: status === '0x1' ? '0x0' : '0x1',
        })),
  'two receipts are swapped': (receipts, choose) => {
    if (receipts.length < 2) return null
    const at = choose(receipts.length - 1)
    const [first, second] = receipts.slice(at, at + 2) as [NodeReceipt, NodeReceipt]
    return [...receipts.slice(0, at), second, first, ...receipts.slice(at + 2)]
  },
  'two receipts are swapped under the right names': (receipts, choose) => {
    if (receipts.length < 2) return null
    const at = choose(receipts.length - 1)
    const [first, second] = receipts.slice(at, at + 2) as [NodeReceipt, NodeReceipt]
    const renamed = (receipt: NodeReceipt, transactionHash: string) => ({
      ...receipt,
      transactionHash,
      logs: receipt.logs.map((log) => ({ ...log, transactionHash })),
    })
    return renumbered([
      ...receipts.slice(0, at),
      renamed(second, first.transactionHash),
      renamed(first, second.transactionHash),
      ...receipts.slice(at + 2),
    ])
  },
  'a receipt is left out': (receipts, choose) =>
    receipts.length === 0 ? null : without(receipts, choose(receipts.length)),
  'no receipt has logs': (receipts) =>
    receipts.some(({ logs }) => logs.length > 0)
      ? receipts.map((receipt) => ({ ...receipt, logs: [] }))
      : null,
} satisfies Record<string, (receipts: readonly NodeReceipt[], choose: Choose) => NodeReceipt[] | null>

export type ReceiptForgery = keyof typeof receiptForgeries
export const receiptForgeryNames = Object.keys(receiptForgeries) as ReceiptForgery[]

export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at)

export const indexesOf = <T>(list: readonly T[], suits: (each: T, index: number) => boolean): number[] =>
  list.flatMap((each, index) => (suits(each, index) ? [index] : []))

const replaced = (
  receipts: readonly NodeReceipt[],
  at: number,
  change: (receipt: NodeReceipt) => Partial<NodeReceipt>,
): NodeReceipt[] =>
  receipts.map((receipt, index) => (index === at ? { ...receipt, ...change(receipt) } : receipt))

function withLogs(
  receipts: readonly NodeReceipt[],
  choose: Choose,
  change: (logs: NodeLog[]) => NodeLog[],
  more: Partial<NodeReceipt> = {},
): NodeReceipt[] | null {
  const able = indexesOf(receipts, ({ logs }) => logs.length > 0)
  const at = able[choose(able.length)]
  return at === undefined ? null : replaced(receipts, at, ({ logs }) => ({ logs: change(logs), ...more }))
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const isTransfer = ({ topics, data }: NodeLog) =>
  topics.length === 3 && topics[0] === transferTopic && data.length === 66

function withTransfer(
  receipts: readonly NodeReceipt[],
  choose: Choose,
  change: (log: NodeLog) => Partial<NodeLog>,
): NodeReceipt[] | null {
  const able = indexesOf(receipts, ({ logs }) => logs.some(isTransfer))
  const at = able[choose(able.length)]
  if (at === undefined) return null
  return replaced(receipts, at, ({ logs }) => {
    const transfers = indexesOf(logs, isTransfer)
    const chosen = transfers[choose(transfers.length)]
    return { logs: logs.map((log, index) => (index === chosen ? { ...log, ...change(log) } : log)) }
  })
}

const otherDigit = (data: string) => (data.endsWith('7') ? '8' : '7')

const forgery = (like: NodeLog): NodeLog => ({
  ...like,
  topics: [transferTopic, `0x${'0'.repeat(24)}${'ab'.repeat(20)}`, `0x${'0'.repeat(24)}${'cd'.repeat(20)}`],
  data: `0x${'0'.repeat(63)}5`,
})

export function renumbered(receipts: readonly NodeReceipt[]): NodeReceipt[] {
  let next = 0
  return receipts.map((receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, logIndex: `0x${(next++).toString(16)}` })),
  }))
}
