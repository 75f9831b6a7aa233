import type { RpcLog as ViemLog } from 'viem'
import { keccak256 } from '../src/chains/evm/keccak.ts'
import { addToBloom, bloomOf } from '../src/chains/evm/read/bloom.ts'
import type { ConsensusReceipt } from '../src/chains/evm/read/receiptsRoot.ts'
import { zeroAddress } from '../src/chains/evm/rpcTypes.ts'
import type { Recorded, RecordedReceipt } from '../test/support/recordedBlocks.ts'
import { encodeTransaction, type SlowTransaction } from '../test/support/slowTransaction.ts'
import { encodeReceipt } from '../test/support/slowTrie.ts'
import { changingTrie } from './changingTrie.ts'
import { syntheticAddress, syntheticWatches } from './watchedDatabase.ts'

/**
 * A recorded block in which some token transfers pay watched addresses: other addresses, in other
 * transactions, at each height.
 */
export interface PayingBlock {
  /** With placeholders for all that differs from height to height. */
  recorded: Recorded
  placeholders: Readonly<Record<string, string>>
  /** A value for each placeholder, and the fields of the header. */
  at(height: number): { values: Record<string, string>; header: Record<string, string> }
}

/** What payments are changed into. */
export interface PaidAs {
  contract: string
  /** Base units; a number, so that it can be sent to another process. */
  amount: number
}

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** More than a block pays. */
const maxPayments = 26

/** The number of the watched address (`syntheticAddress`) that the n-th payment of a block pays. */
export const paidNumber = (height: number, n: number): number =>
  1 + ((height * maxPayments + n) % syntheticWatches)

/** A digit for each of them. The letters that start a placeholder are not among these digits. */
const digitOf = (n: number) => n.toString(36)

interface Paid {
  log: ViemLog
  receipt: number
}

/**
 * A transaction that pays gets the height as its nonce, and with it a hash of its own: the transaction, the
 * receipt, their tries and the blooms stay consistent. Only the signature does not fit: nothing checks it,
 * and the sender is taken from the node.
 */
export function payingBlock(
  original: Recorded,
  contracts: ReadonlySet<string | null>,
  payments: number,
  as?: PaidAs,
): PayingBlock {
  const { block, receipts } = structuredClone(original)
  const paid = paidLogs({ block, receipts }, contracts, payments)
  if (as)
    for (const { log } of paid)
      Object.assign(log, { address: as.contract, data: `0x${as.amount.toString(16).padStart(64, '0')}` })
  const payers = [...new Set(paid.map(({ receipt }) => receipt))]
  const placeholders: Record<string, string> = {
    blockBloom: `0x${'w'.repeat(512)}`,
    receiptsRoot: `0x${'r'.repeat(64)}`,
    transactionsRoot: `0x${'q'.repeat(64)}`,
  }
  const marks = new Map<string, string>()
  for (const [n, { log }] of paid.entries()) {
    placeholders[`topic${n}`] = `0x${'0'.repeat(24)}${`x${digitOf(n)}`.repeat(20)}`
    marks.set(placeholders[`topic${n}`] as string, topicMark(n))
    const topics: string[] = log.topics
    topics[2] = placeholders[`topic${n}`] as string
  }
  const others = new Uint8Array(256)
  for (const [index, receipt] of receipts.entries())
    if (!payers.includes(index)) unite(others, bloomOf(receipt.logs))
  const blooms = payers.map((payer) =>
    bloomOf(withoutPlaceholders((receipts[payer] as RecordedReceipt).logs)),
  )
  for (const [n, payer] of payers.entries()) {
    const [transaction, receipt] = [block.transactions[payer] as object, receipts[payer] as RecordedReceipt]
    Object.assign(placeholders, {
      [`hash${n}`]: `0x${`y${digitOf(n)}`.repeat(32)}`,
      [`nonce${n}`]: `0x${`z${digitOf(n)}`.repeat(4).slice(1)}`,
      [`bloom${n}`]: `0x${`v${digitOf(n)}`.repeat(256)}`,
    })
    Object.assign(transaction, { hash: placeholders[`hash${n}`], nonce: placeholders[`nonce${n}`] })
    Object.assign(receipt, {
      transactionHash: placeholders[`hash${n}`],
      logsBloom: placeholders[`bloom${n}`],
    })
    for (const log of receipt.logs) Object.assign(log, { transactionHash: placeholders[`hash${n}`] })
  }
  Object.assign(block, {
    logsBloom: placeholders.blockBloom,
    receiptsRoot: placeholders.receiptsRoot,
    transactionsRoot: placeholders.transactionsRoot,
  })
  const transactions = original.block.transactions as unknown as readonly SlowTransaction[]
  const transactionsRoot = changingTrie(
    transactions
      .filter((each) => each.from !== zeroAddress || each.to !== zeroAddress)
      .map((each) => bytesOf(encodeTransaction(each))),
  )
  const receiptsRoot = changingTrie(
    (original.receipts as unknown as readonly ConsensusReceipt[]).map((each) => bytesOf(encodeReceipt(each))),
  )
  const payerBytes = payers.map((payer) => {
    const ownTopics = [...paid.keys()].filter((n) => paid[n]?.receipt === payer)
    const receipt = receipts[payer] as RecordedReceipt
    const marked = receipt.logs.map((log) => ({
      ...log,
      topics: log.topics.map((topic) => marks.get(topic) ?? topic) as [`0x${string}`],
    }))
    return {
      transaction: withMarks(
        encodeTransaction({ ...(transactions[payer] as SlowTransaction), nonce: nonceMark }),
        [nonceMark],
      ),
      receipt: withMarks(
        encodeReceipt({ ...(receipt as unknown as ConsensusReceipt), logs: marked, logsBloom: bloomMark }),
        [bloomMark, ...ownTopics.map(topicMark)],
      ),
      ownTopics,
    }
  })

  return {
    recorded: { block, receipts },
    placeholders,
    at(height) {
      const recipients = [...paid.keys()].map((n) => syntheticAddress(paidNumber(height, n)))
      const topics = recipients.map((address) => Buffer.concat([new Uint8Array(12), address]))
      const values: Record<string, string> = Object.fromEntries(
        topics.map((topic, n) => [`topic${n}`, hexOf(topic)]),
      )
      const nonce = `0x${height.toString(16)}`
      const [changedTransactions, changedReceipts] = [
        new Map<number, Uint8Array>(),
        new Map<number, Uint8Array>(),
      ]
      const union = others.slice()
      for (const [n, payer] of payers.entries()) {
        const { transaction, receipt, ownTopics } = payerBytes[n] as (typeof payerBytes)[number]
        const bloom = (blooms[n] as Uint8Array).slice()
        for (const index of ownTopics) addToBloom(bloom, values[`topic${index}`] as string)
        unite(union, bloom)
        const bytes = transaction([bytesOf(nonce.replace('0x', '0x0'))])
        changedTransactions.set(payer, bytes)
        changedReceipts.set(payer, receipt([bloom, ...ownTopics.map((index) => topics[index] as Uint8Array)]))
        Object.assign(values, {
          [`hash${n}`]: hexOf(keccak256(bytes)),
          [`nonce${n}`]: nonce,
          [`bloom${n}`]: hexOf(bloom),
        })
      }
      const header = {
        logsBloom: hexOf(union),
        receiptsRoot: receiptsRoot(changedReceipts),
        transactionsRoot: transactionsRoot(changedTransactions),
      }
      return {
        values: {
          ...values,
          blockBloom: header.logsBloom,
          receiptsRoot: header.receiptsRoot,
          transactionsRoot: header.transactionsRoot,
        },
        header,
      }
    },
  }
}

/** Bytes that are found again in an encoding, and are as long as the values in their place. */
const nonceMark = '0x7eedfacd'
const bloomMark = `0x${'b7'.repeat(256)}` as const
const topicMark = (n: number) => `0x${(0x50 + n).toString(16).repeat(32)}`

/** Encodes once; each call copies the bytes and writes the values. */
function withMarks(encoded: string, marks: readonly string[]): (values: readonly Uint8Array[]) => Uint8Array {
  const bytes = Buffer.from(encoded.slice(2), 'hex')
  const places = marks.map((mark) => {
    const at = bytes.indexOf(Buffer.from(mark.slice(2), 'hex'))
    if (at < 0) throw new Error(`${mark.slice(0, 10)} is not in the encoding`)
    return at
  })
  return (values) => {
    const copy = Uint8Array.from(bytes)
    for (const [n, at] of places.entries()) copy.set(values[n] as Uint8Array, at)
    return copy
  }
}

/** The transfers that pay: of known tokens first; if there are too few, the token of others is changed. */
function paidLogs(
  { block, receipts }: Recorded,
  contracts: ReadonlySet<string | null>,
  payments: number,
): Paid[] {
  const moved = receipts.flatMap(({ logs }, receipt) =>
    logs
      .filter(({ topics, data }) => topics[0] === transferTopic && topics.length === 3 && BigInt(data) > 0n)
      .map((log): Paid => ({ log, receipt })),
  )
  const [known, others] = [true, false].map((isKnown) =>
    moved.filter(({ log }) => contracts.has(log.address) === isKnown),
  ) as [Paid[], Paid[]]
  const payable = [...known, ...others]
  const token = known[0]?.log.address
  if (!token || payable.length < payments || payments > maxPayments)
    throw new Error(`block ${Number(block.number)} has only ${payable.length} transfers`)
  const paid = payable.slice(0, payments)
  for (const { log } of paid) if (!contracts.has(log.address)) log.address = token
  return paid
}

const withoutPlaceholders = (logs: readonly ViemLog[]) =>
  logs.map((log) => ({ address: log.address, topics: log.topics.filter((topic) => !topic.includes('x', 2)) }))

function unite(into: Uint8Array, bloom: Uint8Array): Uint8Array {
  for (let at = 0; at < into.length; at++) into[at] = (into[at] as number) | (bloom[at] as number)
  return into
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
