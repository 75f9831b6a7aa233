import type { Random } from '../promises/foreignBytes/mutate.ts'
import { type Change, formChanges, oddChangesOf } from './answerChanges.ts'

/** Answers to `eth_getBlockReceipts`, and changes of them. */

export const answerId = 7

export interface ReceiptsAnswer {
  jsonrpc: '2.0'
  id: number
  result: Record<string, unknown>[]
}

export const receiptsAnswer = (receipts: readonly object[]): ReceiptsAnswer => ({
  jsonrpc: '2.0',
  id: answerId,
  result: receipts as Record<string, unknown>[],
})

/** Polygon's contract of the native coin. */
export const polygonCoin = '0x0000000000000000000000000000000000001010'

export const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  logTransfer: '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4',
} as const

const hexOf = (random: Random, bytes: number) =>
  `0x${Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, '0')).join('')}`
const wordOf = (random: Random) => `0x${'00'.repeat(12)}${hexOf(random, 20).slice(2)}`

/** Few accounts and amounts, so that movements repeat. */
const somebody = (random: Random) => `0x${'00'.repeat(12)}${'ab'.repeat(19)}0${random.below(3)}`
const amount = (random: Random) => `0x${'00'.repeat(31)}${random.of(['00', '01', 'ff'])}`

/** A log, or the two in which Polygon's contract of the native coin reports one movement twice. */
function madeLogs(random: Random, transactionHash: string, logIndex: number): object[] {
  if (random.chance(0.8)) return [madeLog(random, transactionHash, logIndex)]
  const [from, to, data] = [somebody(random), somebody(random), amount(random)]
  const [transfer, logged] = [
    { topics: [topics.transfer, from, to], data },
    { topics: [topics.logTransfer, wordOf(random), from, to], data: `${data}${'00'.repeat(128)}` },
  ]
  return [transfer, logged].map((log, index) => ({
    ...log,
    address: polygonCoin,
    logIndex: `0x${(logIndex + index).toString(16)}`,
    transactionHash,
  }))
}

function madeLog(random: Random, transactionHash: string, logIndex: number): object {
  const address = random.of([polygonCoin, `0x${'ff'.repeat(19)}fe`, hexOf(random, 20)])
  const kinds = [
    { topics: [topics.transfer, somebody(random), somebody(random)], data: amount(random) },
    {
      topics: [topics.logTransfer, wordOf(random), somebody(random), somebody(random)],
      data: `${amount(random)}${'00'.repeat(128)}`,
    },
    { topics: [topics.transfer, somebody(random), somebody(random), wordOf(random)], data: '0x' },
    {
      topics: Array.from({ length: random.below(5) }, () => wordOf(random)),
      data: hexOf(random, random.of([0, 1, 1, 31, 32, 33, 54, 55, 56, 300])),
    },
  ]
  return {
    address,
    ...random.of(kinds),
    logIndex: `0x${logIndex.toString(16)}`,
    transactionHash,
    blockHash: `0x${'b1'.repeat(32)}`,
    removed: false,
  }
}

/**
 * Receipts of every kind: failed and successful ones, creations, deposits of OP chains, and every kind of
 * log.
 */
export function madeReceipts(random: Random, count: number): object[] {
  let next = 0
  return Array.from({ length: count }, () => {
    const transactionHash = hexOf(random, 32)
    const type = random.of([undefined, '0x0', '0x1', '0x2', '0x3', '0x4', '0x7e', '0x7f'])
    const creates = random.chance(0.1)
    const logs = Array.from({ length: random.below(4) }, () => {
      const made = madeLogs(random, transactionHash, next)
      next += made.length
      return made
    }).flat()
    return {
      transactionHash,
      blockHash: `0x${'b1'.repeat(32)}`,
      blockNumber: '0x10',
      from: hexOf(random, 20),
      to: creates ? null : hexOf(random, 20),
      contractAddress: creates ? hexOf(random, 20) : null,
      ...(type === undefined ? {} : { type }),
      status: random.of(['0x0', '0x1', '0x1']),
      gasUsed: '0x5208',
      cumulativeGasUsed: random.of([
        '0x0',
        '0x7f',
        '0x80',
        '0xff',
        '0x100',
        '0x05208',
        `0x${random.below(2 ** 31).toString(16)}`,
      ]),
      logsBloom: random.chance(0.5) ? `0x${'00'.repeat(256)}` : hexOf(random, 256),
      ...(type === '0x7e'
        ? random.of([
            {},
            { depositNonce: '0x0', depositReceiptVersion: '0x1' },
            { depositReceiptVersion: '0x1' },
          ])
        : {}),
      logs,
    }
  })
}

/** The fields that are read. */
const known = new Set([
  ...[
    'id',
    'result',
    'transactionHash',
    'blockHash',
    'from',
    'to',
    'type',
    'status',
    'cumulativeGasUsed',
    'contractAddress',
  ],
  ...['logsBloom', 'logs', 'address', 'topics', 'data', 'logIndex', 'depositNonce', 'depositReceiptVersion'],
])

type ReceiptsChange = Change<ReceiptsAnswer>

const ofReceipt =
  (change: (receipt: Record<string, unknown>, random: Random) => unknown): ReceiptsChange =>
  (answer, random) => {
    const copy = structuredClone(answer)
    change(random.of(copy.result), random)
    return JSON.stringify(copy)
  }

/** Nodes may answer so: the reader of bytes should understand it, and most of all get it right. */
export const plainChanges: Record<string, ReceiptsChange> = {
  ...formChanges,
  gas: ofReceipt((receipt, random) =>
    Object.assign(receipt, {
      cumulativeGasUsed: random.of(['0x0', '0x00', '0x80', '0x0100', `0x${'f'.repeat(64)}`]),
    }),
  ),
  status: ofReceipt((receipt, random) =>
    Object.assign(receipt, { status: random.of(['0x0', '0x1', '0x01', '0x00']) }),
  ),
  type: ofReceipt((receipt, random) =>
    Object.assign(receipt, { type: random.of(['0x0', '0x02', '0x7f', '0x64']) }),
  ),
  sender: ofReceipt((receipt, random) => Object.assign(receipt, { from: hexOf(random, 20) })),
  recipient: ofReceipt((receipt, random) =>
    Object.assign(receipt, random.of([{ to: hexOf(random, 20) }, { to: null, contractAddress: null }])),
  ),
  'more fields': ofReceipt((receipt, random) =>
    Object.assign(receipt, { more: random.of([1, -1.5e-7, true, 'text', { logs: [{}] }]) }),
  ),
  receipts: (answer, random) => JSON.stringify({ ...answer, result: madeReceipts(random, random.below(20)) }),
}

/** Most of these are refused, by both readers or by that of bytes alone. */
export const oddChanges: Record<string, ReceiptsChange> = {
  ...oddChangesOf(known),
  hex: ofReceipt((receipt, random) => {
    const name = random.of(Object.keys(receipt).filter((each) => typeof receipt[each] === 'string'))
    const text = receipt[name] as string
    const at = random.below(text.length)
    receipt[name] = text.slice(0, at) + random.of([...'0aAfFgGxX "\\']) + text.slice(at + random.below(2))
  }),
  absent: ofReceipt((receipt, random) => Reflect.deleteProperty(receipt, random.of(Object.keys(receipt)))),
}
