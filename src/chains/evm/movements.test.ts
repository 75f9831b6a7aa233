import { describe, expect, test } from '@jest/globals'
import {
  account,
  hexOf,
  type MadeTransaction,
  madeBlock,
  nobody,
  tokenTransfer,
  topicOf,
  transferTopic,
  word,
} from '../../../test/support/madeNode.ts'
import { recordedBlock } from '../../../test/support/recordedBlocks.ts'
import type { Transfer } from '../chain.ts'
import { createdAddress } from './createdAddress.ts'
import { type EvmRules, movementsOfLogs, movementsOfReceipts } from './movements.ts'
import type { RpcBlock, RpcReceipt } from './rpcTypes.ts'

const mrc20 = '0x0000000000000000000000000000000000001010'
// keccak256 of "LogTransfer(address,address,address,uint256,…)" and "LogFeeTransfer(address,address,address,uint256,…)", by cast of foundry
const logTransfer = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'
const logFeeTransfer = '0x4dfe1bbbcf077ddc3e01291eea2d5c70c2b422b415d95645b9adcfd678cb1d63'
const nativeLogger = '0xfffffffffffffffffffffffffffffffffffffffe'
const token = account(77)
const [alice, bob, carol] = [account(1), account(2), account(3)]
const ethereum: EvmRules = { nativeLog: null, ownReceipts: true }
const polygon: EvmRules = { nativeLog: mrc20, ownReceipts: true }

/** Polygon's log of a movement of its coin: the amount, both balances before and both after. */
const coinLog = (from: string, to: string, amount: bigint, { moved = true, topic = logTransfer } = {}) => ({
  address: mrc20,
  topics: [topic, topicOf(mrc20), topicOf(from), topicOf(to)],
  data: `0x${[amount, 1000n, 50n, moved ? 1000n - amount : 1000n, moved ? 50n + amount : 50n].map(word).join('')}`,
})
const brief = (transfers: readonly Transfer[]) => transfers.map(({ movementKey, from, to, amount }) => [movementKey, from, to, amount])
const ofReceipts = (rules: EvmRules, ...transactions: MadeTransaction[]) => {
  const { block, receipts } = madeBlock(7, transactions)
  return movementsOfReceipts(rules, block, receipts)
}
const ofLogs = (rules: EvmRules, ...transactions: MadeTransaction[]) => {
  const { block, receipts } = madeBlock(7, transactions)
  return movementsOfLogs(
    rules,
    block,
    receipts.flatMap(({ logs }) => logs),
  )
}

describe("Polygon's own log of its coin", () => {
  const sent = { from: alice, to: bob, value: hexOf(5n) }

  test("of a transaction's own value is that value, once, as `native`", () => {
    expect(brief(ofReceipts(polygon, { ...sent, logs: [coinLog(alice, bob, 5n)] }).transfers)).toEqual([['native', alice, bob, 5n]])
  })

  test('of an internal call is a movement by its log, also beside an own value that is the same in all but its parties', () => {
    const logs = [coinLog(alice, bob, 5n), coinLog(bob, carol, 5n), coinLog(bob, alice, 2n)]
    expect(brief(ofReceipts(polygon, { ...sent, logs }).transfers)).toEqual([
      ['native', alice, bob, 5n],
      ['log:1', bob, carol, 5n],
      ['log:2', bob, alice, 2n],
    ])
  })

  test("the first that is the same as the transaction's own value is taken out, and no second one", () => {
    expect(brief(ofReceipts(polygon, { ...sent, logs: [coinLog(alice, bob, 5n), coinLog(alice, bob, 5n)] }).transfers)).toEqual([
      ['native', alice, bob, 5n],
      ['log:1', alice, bob, 5n],
    ])
  })

  test('of the fee is no movement', () => {
    const logs = [coinLog(alice, bob, 5n), coinLog(alice, account(99), 3n, { topic: logFeeTransfer })]
    expect(brief(ofReceipts(polygon, { ...sent, logs }).transfers)).toEqual([['native', alice, bob, 5n]])
  })

  test("once more from the contract's own code, when it is used as a token, is no movement: no balance changed by it", () => {
    const asToken = (from: string, to: string, amount: bigint) => [
      coinLog(from, to, amount),
      tokenTransfer(mrc20, from, to, amount),
      coinLog(from, to, amount, { moved: false }),
    ]
    const { transfers } = ofReceipts(polygon, { from: alice, to: mrc20, value: hexOf(5n), logs: asToken(alice, bob, 5n) })
    expect(brief(transfers.filter(({ contract }) => contract === null))).toEqual([
      ['native', alice, mrc20, 5n],
      ['log:0', alice, bob, 5n],
    ])
    const twice = ofReceipts(polygon, { from: alice, to: token, logs: [...asToken(carol, bob, 5n), ...asToken(carol, bob, 5n)] }).transfers
    expect(brief(twice.filter(({ contract }) => contract === null))).toEqual([
      ['log:0', carol, bob, 5n],
      ['log:3', carol, bob, 5n],
    ])
  })

  test('that follows a transfer of another token, or of another amount, is a movement', () => {
    const logs = [tokenTransfer(token, carol, bob, 5n), coinLog(carol, bob, 5n), tokenTransfer(mrc20, carol, bob, 4n), coinLog(carol, bob, 5n)]
    const { transfers } = ofReceipts(polygon, { from: alice, to: token, logs })
    expect(transfers.filter(({ contract }) => contract === null).map(({ movementKey }) => movementKey)).toEqual(['log:1', 'log:3'])
  })

  test('of nothing, and of another contract, is none', () => {
    const other = { ...coinLog(alice, bob, 5n), address: token }
    expect(ofReceipts(polygon, { from: alice, to: token, logs: [coinLog(alice, bob, 0n), other] }).transfers).toEqual([])
    expect(ofReceipts(ethereum, { from: alice, to: token, logs: [coinLog(alice, bob, 5n)] }).transfers).toEqual([])
  })

  test('tells all movements of the coin, internal ones included, in blocks without any too', () => {
    expect(ofReceipts(polygon).nativeByEvents).toBe(true)
    expect(ofLogs(polygon).nativeByEvents).toBe(true)
    expect(ofReceipts(ethereum, sent).nativeByEvents).toBe(false)
  })
})

describe('Polygon as it was recorded', () => {
  test('38102393: 16 movements of the coin are 5 of transactions themselves and 11 internal ones', () => {
    const { block, receipts } = recordedBlock('polygon/38102393')
    const [read, rows] = [block as unknown as RpcBlock, receipts as unknown as RpcReceipt[]]
    const native = movementsOfReceipts(polygon, read, rows).transfers.filter(({ contract }) => contract === null)
    expect(native.filter(({ movementKey }) => movementKey === 'native')).toHaveLength(5)
    expect(native.filter(({ movementKey }) => movementKey.startsWith('log:'))).toHaveLength(11)
    expect(native).toHaveLength(16)
  })

  test.each(['polygon/38102393', 'polygon/50000000'])(
    '%s: the logs alone tell the same as the receipts, all but whether transactions succeeded',
    (name) => {
      const { block, receipts } = recordedBlock(name)
      const [read, rows] = [block as unknown as RpcBlock, receipts as unknown as RpcReceipt[]]
      const failed = new Set(rows.filter(({ status }) => status !== '0x1').map((receipt) => receipt.transactionHash))
      const byLogs = movementsOfLogs(
        polygon,
        read,
        rows.flatMap(({ logs }) => logs),
      )
      const proven = byLogs.transfers.filter(({ unproven, txId }) => !unproven || !failed.has(txId)).map(({ unproven: _, ...transfer }) => transfer)
      expect(proven).toEqual(movementsOfReceipts(polygon, read, rows).transfers)
    },
  )
})

describe('the log of native movements of EIP-7708', () => {
  const coin = (from: string, to: string, amount: bigint) => tokenTransfer(nativeLogger, from, to, amount)

  test('is a movement of the native coin, not of a token', () => {
    const { transfers } = ofReceipts(ethereum, { from: alice, to: token, logs: [coin(token, bob, 5n)] })
    expect(transfers).toMatchObject([{ movementKey: 'log:0', contract: null, from: token, to: bob, amount: 5n }])
  })

  test("of a transaction's own value is that value, once", () => {
    const logs = [coin(alice, bob, 5n), coin(bob, carol, 5n)]
    expect(brief(ofReceipts(ethereum, { from: alice, to: bob, value: '0x5', logs }).transfers)).toEqual([
      ['native', alice, bob, 5n],
      ['log:1', bob, carol, 5n],
    ])
  })

  test('says that internal movements are told by logs, for the whole block', () => {
    const made = [
      { from: alice, to: bob, value: '0x5', logs: [coin(alice, bob, 5n)] },
      { from: alice, to: bob },
    ]
    expect([ofReceipts(ethereum, ...made).nativeByEvents, ofLogs(ethereum, ...made).nativeByEvents]).toEqual([true, true])
  })
})

describe('value that a transaction carries', () => {
  test('is no movement when it failed; by logs alone it is open', () => {
    const failed = { from: alice, to: bob, value: '0x5', status: '0x0' }
    expect(ofReceipts(ethereum, failed).transfers).toEqual([])
    expect(ofLogs(ethereum, failed).transfers).toMatchObject([{ movementKey: 'native', amount: 5n, unproven: true }])
  })

  test('with which a contract is created goes to the one that sender and nonce make, whatever its receipt names', () => {
    const made = madeBlock(7, [{ from: alice, to: null, value: '0x5', contractAddress: carol }])
    const created = createdAddress(alice, '0x0')
    expect(brief(movementsOfReceipts(ethereum, made.block, made.receipts).transfers)).toEqual([['native', alice, created, 5n]])
    // Of some chains' own types nodes answer no nonce: the receipt is all there is then, and without it nothing.
    const block = { ...made.block, transactions: made.block.transactions.map(({ nonce: _, ...each }) => each) }
    expect(brief(movementsOfReceipts(ethereum, block, made.receipts).transfers)).toEqual([['native', alice, carol, 5n]])
    expect(movementsOfLogs(ethereum, block, []).transfers).toEqual([])
  })

  test('with which a contract is created goes there by logs alone, too', () => {
    // The known first two contracts of an account, as Ethereum's documentation of `CREATE` has them.
    const creator = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0'
    const created = ['0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d', '0x343c43a37d37dff08ae8c4a11544c718abb4fcf8']
    for (const [nonce, address] of created.entries()) {
      const { block } = madeBlock(7, [{ from: creator, to: null, value: '0x5' }])
      const transactions = block.transactions.map((each) => ({ ...each, nonce: hexOf(nonce) }))
      expect(movementsOfLogs(ethereum, { ...block, transactions }, []).transfers).toMatchObject([
        { movementKey: 'native', to: address, unproven: true },
      ])
    }
  })

  test('of nothing is kept only for whoever asks why, and only where it is nothing but a transfer', () => {
    const asked = { ...ethereum, keepEmpty: true }
    expect(brief(ofReceipts(asked, { from: alice, to: bob }, { from: alice, to: bob, input: '0xa9059cbb' }).transfers)).toEqual([
      ['native', alice, bob, 0n],
    ])
  })
})

describe('a token transfer', () => {
  test('is told in lower case, by the index of its log in the block', () => {
    const upper = (address: string) => address.toUpperCase().replace('0X', '0x')
    const logs = [{ address: token, topics: [transferTopic], data: '0x' }, tokenTransfer(upper(token), upper(alice), upper(bob), 2n ** 256n - 1n)]
    expect(ofReceipts(ethereum, { from: alice, to: token, logs }).transfers).toMatchObject([
      { movementKey: 'log:1', contract: token, from: alice, to: bob, amount: 2n ** 256n - 1n },
    ])
  })

  test('of nothing is dropped, and kept for whoever asks why', () => {
    const empty = { from: alice, to: token, input: '0xa9059cbb', logs: [tokenTransfer(token, alice, bob, 0n)] }
    expect(ofReceipts(ethereum, empty).transfers).toEqual([])
    expect(ofReceipts({ ...ethereum, keepEmpty: true }, empty).transfers).toMatchObject([{ movementKey: 'log:0', amount: 0n }])
  })

  test('of a transaction that the block does not list is told too: state that Polygon brings over', () => {
    const { block, receipts } = madeBlock(7, [{ from: nobody, to: nobody, logs: [tokenTransfer(token, nobody, bob, 9n)] }])
    const unlisted = { ...block, transactions: [] }
    expect(brief(movementsOfReceipts(polygon, unlisted, receipts).transfers)).toEqual([['log:0', nobody, bob, 9n]])
    const logs = receipts.flatMap((receipt) => receipt.logs)
    expect(brief(movementsOfLogs(polygon, unlisted, logs).transfers)).toEqual([['log:0', nobody, bob, 9n]])
  })
})
