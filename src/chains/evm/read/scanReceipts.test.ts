import { describe, expect, test } from '@jest/globals'
import { createRandom } from '../../../../test/promises/foreignBytes/mutate.ts'
import {
  answerId,
  madeReceipts,
  polygonCoin,
  type ReceiptsAnswer,
  receiptsAnswer,
  topics,
} from '../../../../test/support/receiptAnswers.ts'
import { bloomOfReceipts, bothReadings } from '../../../../test/support/receiptReadings.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import { scanReceipts } from './scanReceipts.ts'

const names = [
  'ethereum/18000000',
  'ethereum/15753009',
  'polygon/50000000',
  'polygon/38102393',
  'arbitrum/150000000',
]

describe('recorded receipts', () => {
  test.each(names)(
    "of %s give the root and the bloom of the block's header, and read as by JSON.parse",
    (name) => {
      const { block, receipts } = recordedBlock(name)
      const nativeLog = name.startsWith('polygon') ? polygonCoin : null
      const { scanned, byParsing, bloom } = bothReadings(
        JSON.stringify(receiptsAnswer(receipts)),
        answerId,
        nativeLog,
      )
      expect(scanned).toEqual(byParsing)
      expect(scanned).toMatchObject({
        root: block.receiptsRoot,
        blockHash: block.hash,
        hashes: block.transactions.map(({ hash }) => hash),
      })
      expect(Buffer.from(bloom ?? [])).toEqual(Buffer.from(bloomOfReceipts(receipts as never)))
    },
  )

  test('read alike in chunks of any size', () => {
    const bytes = Buffer.from(JSON.stringify(receiptsAnswer(recordedBlock('ethereum/18000000').receipts)))
    const options = { withRoot: true, nativeLog: null }
    for (const size of [977, 65_536]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      expect(scanReceipts(chunks, answerId, options)).toEqual(scanReceipts([bytes], answerId, options))
    }
  })
})

const answer = receiptsAnswer(madeReceipts(createRandom(3), 4))
const text = JSON.stringify(answer)
const scan = (changed: string) =>
  scanReceipts([Buffer.from(changed)], answerId, { withRoot: true, nativeLog: null })
/** The answer with other fields in its first receipt that has logs, or in that one's first log. */
function withFields(receipt: object, log: object = {}): string {
  const copy = structuredClone(answer) as Omit<ReceiptsAnswer, 'result'> & { result: { logs: object[] }[] }
  const first = copy.result.find(({ logs }) => logs.length > 0)
  Object.assign(first ?? {}, receipt)
  Object.assign(first?.logs[0] ?? {}, log)
  return JSON.stringify(copy)
}
const word = `0x${'ab'.repeat(32)}`

test('a block without receipts has the root of the empty trie', () => {
  expect(scan(`{"jsonrpc":"2.0","id":${answerId},"result":[]}`)).toMatchObject({
    root: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    blockHash: null,
  })
})

describe('an answer is left to JSON.parse', () => {
  test.each<[string, string]>([
    ['to another request', text.replace(`"id":${answerId}`, '"id":8')],
    ['with an error', text.replace(`"id":${answerId}`, `"id":${answerId},"error":{"code":-32000}`)],
    ['without receipts', `{"jsonrpc":"2.0","id":${answerId},"result":null}`],
    ['in a batch', `[${text}]`],
    ['with text after it', `${text}1`],
    ['with an escape in a name', text.replace('"status"', '"st\\u0061tus"')],
    ['with a byte outside ASCII', text.replace('"gasUsed"', '"gásUsed"')],
    ['with a hash of another block', withFields({ blockHash: word })],
    ['with a log of another transaction', withFields({}, { transactionHash: word })],
    [
      'with a control character in a hash, also that of its logs',
      text.replaceAll(String(answer.result[0]?.transactionHash), `0x\t${'1'.repeat(63)}`),
    ],
    ['with a log that has another index', withFields({}, { logIndex: '0x7' })],
    ['with uppercase digits', withFields({ from: `0x${'AB'.repeat(20)}` })],
    ['with half a byte of data', withFields({}, { data: '0x123' })],
    ['with five topics', withFields({}, { topics: Array(5).fill(word) })],
    ['with a short topic', withFields({}, { topics: ['0x12'] })],
    ['with a status that is neither 0 nor 1', withFields({ status: '0x2' })],
    ['without status', withFields({ status: undefined, root: word })],
    ['without recipient', withFields({ to: undefined })],
    ['with a type above one byte', withFields({ type: '0x80' })],
    ['with gas that is a number', withFields({ cumulativeGasUsed: 21000 })],
    ['with gas of more than 32 bytes', withFields({ cumulativeGasUsed: `0x${'1'.repeat(65)}` })],
    ['with a short bloom', withFields({ logsBloom: '0x00' })],
    ['with logs that are no list', withFields({ logs: {} })],
    ['with a status twice', text.replace('"status":', '"status":"0x1","status":')],
    [
      'with the address of a log twice',
      text.replace('"address":', `"address":"0x${'ab'.repeat(20)}","address":`),
    ],
    ['with the topics of a log twice', text.replace('"topics":', '"topics":[],"topics":')],
    ['with the data of a log twice', text.replace('"data":', '"data":"0x","data":')],
    ['with the index of a log twice', text.replace('"logIndex":', '"logIndex":"0x0","logIndex":')],
    [
      'with the transaction of a log twice',
      text.replace(/("logIndex":"0x0",)("transactionHash":"0x\w{64}")/, '$1$2,$2'),
    ],
    ['with logs twice', text.replace('"logs":', '"logs":[],"logs":')],
  ])('%s', (_, changed) => {
    expect(changed).not.toBe(text)
    expect(scan(changed)).toBeNull()
  })

  test('that was cut at any place', () => {
    for (let length = 0; length < text.length; length++) expect(scan(text.slice(0, length))).toBeNull()
  })
})

describe("a movement that Polygon's contract reports twice", () => {
  const [from, to] = [`0x${'0'.repeat(24)}${'aa'.repeat(20)}`, `0x${'0'.repeat(24)}${'bb'.repeat(20)}`]
  const parties = [from, to].map((each) => `0x${each.slice(26)}`)
  const one = `0x${'0'.repeat(63)}1`
  const transfer = { address: polygonCoin, topics: [topics.transfer, from, to], data: one }
  const logged = {
    address: polygonCoin,
    topics: [topics.logTransfer, word, from, to],
    data: `${one}${'00'.repeat(128)}`,
  }
  const another = { address: polygonCoin, topics: [], data: '0x' }
  const answerOf = (...receipts: object[][]) => {
    let next = 0
    return receiptsAnswer(
      receipts.map((logs, index) => ({
        ...answer.result[0],
        transactionHash: `0x${String(index).repeat(64)}`,
        logs: logs.map((log) => ({
          ...log,
          transactionHash: `0x${String(index).repeat(64)}`,
          logIndex: `0x${(next++).toString(16)}`,
        })),
      })),
    )
  }

  test.each<[string, object[][], boolean]>([
    ['is one movement', [[transfer, logged]], false],
    ['is two where another log is between', [[transfer, another, logged]], true],
    ['is two in two receipts', [[transfer], [logged]], true],
    ['is two of different amounts', [[{ ...transfer, data: `0x${'0'.repeat(63)}2` }, logged]], true],
    ['is two from different senders', [[{ ...transfer, topics: [topics.transfer, to, to] }, logged]], true],
    [
      'is two to different receivers',
      [[{ ...transfer, topics: [topics.transfer, from, from] }, logged]],
      true,
    ],
    [
      'is two where another contract reported the first',
      [[{ ...transfer, address: `0x${'cc'.repeat(20)}` }, logged]],
      true,
    ],
    ['is two where the first moved nothing', [[{ ...transfer, data: `0x${'0'.repeat(64)}` }, logged]], true],
  ])('%s', (_, receipts, isTouched) => {
    const { scanned, byParsing } = bothReadings(JSON.stringify(answerOf(...receipts)), answerId, polygonCoin)
    expect(scanned).toEqual(byParsing)
    expect(parties.map((each) => scanned?.unread.includes(each))).toEqual([isTouched, isTouched])
  })
})
