import { describe, expect, test } from '@jest/globals'
import {
  account,
  hexOf,
  type MadeBlock,
  madeBlock,
  madeNode,
  madeReader,
  tokenTransfer,
  topicOf,
  word,
} from '../../../../test/support/madeNode.ts'
import { answerId, polygonCoin, receiptsAnswer, topics } from '../../../../test/support/receiptAnswers.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import { bothBlocks, isWatchedBy, watching } from '../../../../test/support/wholeReadings.ts'
import type { Transfer } from '../../chain.ts'
import type { RpcBlock } from '../rpcTypes.ts'
import type { EvmRules } from './movements.ts'
import { blockOfScanned, type ReadBlock } from './readBlock.ts'
import { scanReceipts } from './scanReceipts.ts'
import { withInternals } from './wholeBlock.ts'

const [alice, bob, token] = [account(1), account(2), account(77)]
const plain: EvmRules = { nativeLog: null, ownReceipts: false }
const polygon: EvmRules = { nativeLog: polygonCoin, ownReceipts: false }
const nativeLogger = `0x${'ff'.repeat(19)}fe`
const both = (rules: EvmRules, { block, receipts }: MadeBlock) =>
  bothBlocks(rules, block, Buffer.from(JSON.stringify(receiptsAnswer(receipts))), answerId)

function packedBlock({ block, receipts }: MadeBlock): ReadBlock {
  const scanned = scanReceipts([Buffer.from(JSON.stringify(receiptsAnswer(receipts)))], answerId, {
    withRoot: true,
    nativeLog: null,
    whole: true,
  })
  if (!scanned) throw new Error('not understood')
  return blockOfScanned(plain, 'node', block, scanned)
}

/** Polygon's log of a native transfer. */
const coinLog = (from: string, to: string, amount: bigint) => ({
  address: polygonCoin,
  topics: [topics.logTransfer, topicOf(polygonCoin), topicOf(from), topicOf(to)],
  data: `0x${[amount, 9n, 9n, 9n - amount, 9n + amount].map(word).join('')}`,
})

describe.each([
  'ethereum/18000000',
  'ethereum/15753009',
  'polygon/50000000',
  'polygon/38102393',
  'arbitrum/150000000',
])('%s', (name) => {
  test.each([false, true])(
    'is the same block by its bytes and by JSON.parse, and proven (trusted: %s)',
    (trusted) => {
      const { block, receipts } = recordedBlock(name)
      const rules: EvmRules = {
        nativeLog: name.startsWith('polygon') ? polygonCoin : null,
        ownReceipts: !name.startsWith('ethereum'),
        trusted,
      }
      const { scanned, byParsing } = bothBlocks(
        rules,
        block as unknown as RpcBlock,
        Buffer.from(JSON.stringify(receiptsAnswer(receipts))),
        answerId,
      )
      expect(scanned?.read).toEqual(byParsing)
      expect(byParsing).toMatchObject({ unproven: [] })
    },
  )
})

describe('a block read from the bytes of its receipts', () => {
  test('has the native coin by value, by the log of EIP-7708 and by that of Polygon, each once and in order', () => {
    const sent = { from: alice, to: bob, value: hexOf(5n) }
    const logs = [
      tokenTransfer(token, bob, alice, 3n),
      coinLog(alice, bob, 5n),
      coinLog(alice, bob, 5n),
      tokenTransfer(nativeLogger, bob, alice, 2n),
    ]
    const { scanned, byParsing } = both(polygon, madeBlock(7, [{ ...sent, logs }, sent]))
    expect(scanned?.read).toEqual(byParsing)
    const brief =
      'transfers' in byParsing
        ? byParsing.transfers.map(({ movementKey, contract }) => [movementKey, contract])
        : []
    expect(brief).toEqual([
      ['native', null],
      ['log:0', token],
      ['log:2', null],
      ['log:3', null],
      ['native', null],
    ])
  })

  test('has no value of a failed transaction', () => {
    const { scanned, byParsing } = both(
      plain,
      madeBlock(7, [{ from: alice, to: bob, value: hexOf(5n), status: '0x0' }]),
    )
    expect(scanned?.read).toEqual(byParsing)
    expect(byParsing).toMatchObject({ transfers: [] })
  })

  test('is refused with a value that the database cannot hold', () => {
    const { block, receipts } = madeBlock(7, [{ from: alice, to: bob, value: hexOf(5n) }])
    const transactions = block.transactions.map((each) => ({ ...each, value: hexOf(2n ** 256n) }))
    const { scanned, byParsing } = both(
      { ...plain, trusted: true },
      { block: { ...block, transactions }, receipts },
    )
    expect([scanned?.read, byParsing]).toEqual([{ refused: true }, { refused: true }])
  })

  test('names the address that a creation pays by sender and nonce', () => {
    const { scanned, byParsing } = both(
      plain,
      madeBlock(7, [{ from: alice, to: null, value: hexOf(5n), contractAddress: bob }]),
    )
    expect(scanned?.read).toEqual(byParsing)
    expect(byParsing).not.toMatchObject({ transfers: [{ to: bob }] })
  })

  test('makes objects only of transfers that may be watched', () => {
    const logs = [tokenTransfer(token, bob, alice, 3n), tokenTransfer(token, bob, account(9), 4n)]
    const { scanned } = both(
      plain,
      madeBlock(7, [{ from: account(5), to: account(6), value: hexOf(5n), logs }]),
    )
    const watched = watching(alice)
    const matching = scanned?.packed?.matching(watched) ?? []
    expect(matching.map(({ movementKey }) => movementKey)).toEqual(['native', 'log:0'])
    expect(matching.filter(isWatchedBy(watched))).toHaveLength(1)
    expect(scanned?.packed?.touches(watched)).toBe(false)
  })

  test('keeps its internal transfers among those that may be watched', () => {
    const { block } = packedBlock(
      madeBlock(7, [{ from: account(5), to: account(6), logs: [tokenTransfer(token, bob, alice, 3n)] }]),
    )
    const internal: Transfer = {
      txId: block.id,
      movementKey: 'trace:0',
      contract: null,
      from: token,
      to: alice,
      amount: 1n,
    }
    const all = withInternals(block, [internal])
    expect(all.packed?.matching(watching(bob)).map(({ movementKey }) => movementKey)).toEqual([
      'log:0',
      'trace:0',
    ])
    expect(all.transfers).toEqual([...block.transfers, internal])
    expect([block.traced, all.traced, all.id]).toEqual([false, true, block.id])
    const { packed: _, ...unpacked } = block
    expect(withInternals(unpacked, [internal])).toEqual({
      ...unpacked,
      transfers: all.transfers,
      traced: true,
    })
  })

  test.each<[string, EvmRules, (made: MadeBlock) => MadeBlock]>([
    [
      'a creation without nonce',
      plain,
      ({ block, receipts }) => ({
        block: {
          ...block,
          transactions: block.transactions.map(({ nonce: _, ...each }) => ({ ...each, to: null })),
        },
        receipts,
      }),
    ],
    [
      'another transaction',
      plain,
      ({ block, receipts }) => ({
        block: { ...block, transactions: block.transactions.map((each) => ({ ...each, hash: block.hash })) },
        receipts,
      }),
    ],
    [
      'no list of transactions',
      plain,
      ({ block, receipts }) => ({ block: { ...block, transactions: {} as never }, receipts }),
    ],
    [
      'an empty place among its transactions',
      plain,
      ({ block, receipts }) => ({ block: { ...block, transactions: [null as never] }, receipts }),
    ],
    [
      'another hash',
      plain,
      ({ block, receipts }) => ({ block: { ...block, hash: block.parentHash }, receipts }),
    ],
    [
      'another receipts root',
      plain,
      ({ block, receipts }) => ({ block: { ...block, receiptsRoot: block.hash }, receipts }),
    ],
    [
      'another bloom, of a trusted node',
      { ...plain, trusted: true },
      ({ block, receipts }) => ({ block: { ...block, logsBloom: `0x${'11'.repeat(256)}` }, receipts }),
    ],
    ['zero transfers to explain', { ...plain, keepEmpty: true }, (made) => made],
  ])('is left to JavaScript with %s', (_, rules, change) => {
    const made = madeBlock(7, [
      { from: alice, to: bob, value: hexOf(5n), logs: [tokenTransfer(token, bob, alice, 3n)] },
    ])
    expect(both({ ...rules, keepEmpty: false }, made).scanned).not.toBeNull()
    expect(both(rules, change(made)).scanned).toBeNull()
  })
})

test('a block whose receipts are not understood is read all the same, and counted', async () => {
  const made = madeBlock(7, [
    { from: alice, to: bob, value: hexOf(5n), logs: [tokenTransfer(token, bob, alice, 3n)] },
  ])
  const odd = made.receipts.map((each) => ({ ...each, from: each.from?.toUpperCase().replace('0X', '0x') }))
  const node = madeNode('a', [made])
  const { reader, fallbacks } = madeReader([node], { ownReceipts: false })
  const read = async () => {
    const block = await reader.block(7)
    return block && { ...block, packed: undefined }
  }
  const plainly = await read()
  expect(plainly?.transfers).toHaveLength(2)
  expect(fallbacks).toEqual([])
  node.answer.eth_getBlockReceipts = () => odd
  expect(await read()).toEqual(plainly)
  expect(fallbacks).toEqual(['a'])
})
