import { describe, expect, test } from '@jest/globals'
import {
  account,
  hexOf,
  type MadeTransaction,
  madeBlock,
  tokenTransfer,
  topicOf,
  transferTopic,
  word,
  zeroAddress,
} from '../../../../test/support/madeNode.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import type { Transfer } from '../../chain.ts'
import type { RpcBlock, RpcReceipt } from '../rpcTypes.ts'
import { createdAddress } from './createdAddress.ts'
import { type EvmRules, movementsOfLogs, movementsOfReceipts } from './movements.ts'

const mrc20 = '0x0000000000000000000000000000000000001010'
// keccak256 of "LogTransfer(address,address,address,uint256,…)" and
// "LogFeeTransfer(address,address,address,uint256,…)", by cast of foundry
const logTransfer = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'
const logFeeTransfer = '0x4dfe1bbbcf077ddc3e01291eea2d5c70c2b422b415d95645b9adcfd678cb1d63'
const nativeLogger = '0xfffffffffffffffffffffffffffffffffffffffe'
const token = account(77)
const [alice, bob, carol] = [account(1), account(2), account(3)]
const ethereum: EvmRules = { nativeLog: null, ownReceipts: true }
const polygon: EvmRules = { nativeLog: mrc20, ownReceipts: true }

/** Polygon's log of a native transfer: the amount, both balances before and both after. */
const coinLog = (from: string, to: string, amount: bigint, { moved = true, topic = logTransfer } = {}) => ({
  address: mrc20,
  topics: [topic, topicOf(mrc20), topicOf(from), topicOf(to)],
  data: `0x${[amount, 1000n, 50n, moved ? 1000n - amount : 1000n, moved ? 50n + amount : 50n].map(word).join('')}`,
})
const brief = (transfers: readonly Transfer[]) =>
  transfers.map(({ movementKey, from, to, amount }) => [movementKey, from, to, amount])
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

  test("of a transaction's own value counts once, as `native`", () => {
    expect(brief(ofReceipts(polygon, { ...sent, logs: [coinLog(alice, bob, 5n)] }).transfers)).toEqual([
      ['native', alice, bob, 5n],
    ])
  })

  test("of an internal call is a transfer keyed by its log, also where its amount equals the transaction's own value", () => {
    const logs = [coinLog(alice, bob, 5n), coinLog(bob, carol, 5n), coinLog(bob, alice, 2n)]
    expect(brief(ofReceipts(polygon, { ...sent, logs }).transfers)).toEqual([
      ['native', alice, bob, 5n],
      ['log:1', bob, carol, 5n],
      ['log:2', bob, alice, 2n],
    ])
  })

  test("equal to the transaction's own value is skipped once, and not a second time", () => {
    expect(
      brief(
        ofReceipts(polygon, { ...sent, logs: [coinLog(alice, bob, 5n), coinLog(alice, bob, 5n)] }).transfers,
      ),
    ).toEqual([
      ['native', alice, bob, 5n],
      ['log:1', alice, bob, 5n],
    ])
  })

  test('of the fee is not a transfer', () => {
    const logs = [coinLog(alice, bob, 5n), coinLog(alice, account(99), 3n, { topic: logFeeTransfer })]
    expect(brief(ofReceipts(polygon, { ...sent, logs }).transfers)).toEqual([['native', alice, bob, 5n]])
  })

  test("repeated by the contract's own code, when it is used as a token, is not a transfer: no balance changed", () => {
    const asToken = (from: string, to: string, amount: bigint) => [
      coinLog(from, to, amount),
      tokenTransfer(mrc20, from, to, amount),
      coinLog(from, to, amount, { moved: false }),
    ]
    const { transfers } = ofReceipts(polygon, {
      from: alice,
      to: mrc20,
      value: hexOf(5n),
      logs: asToken(alice, bob, 5n),
    })
    expect(brief(transfers.filter(({ contract }) => contract === null))).toEqual([
      ['native', alice, mrc20, 5n],
      ['log:0', alice, bob, 5n],
    ])
    const twice = ofReceipts(polygon, {
      from: alice,
      to: token,
      logs: [...asToken(carol, bob, 5n), ...asToken(carol, bob, 5n)],
    }).transfers
    expect(brief(twice.filter(({ contract }) => contract === null))).toEqual([
      ['log:0', carol, bob, 5n],
      ['log:3', carol, bob, 5n],
    ])
  })

  test('after a transfer of another token, or of another amount, is a transfer', () => {
    const logs = [
      tokenTransfer(token, carol, bob, 5n),
      coinLog(carol, bob, 5n),
      tokenTransfer(mrc20, carol, bob, 4n),
      coinLog(carol, bob, 5n),
    ]
    const { transfers } = ofReceipts(polygon, { from: alice, to: token, logs })
    expect(
      transfers.filter(({ contract }) => contract === null).map(({ movementKey }) => movementKey),
    ).toEqual(['log:1', 'log:3'])
  })

  test('of amount zero, or of another contract, is not a transfer', () => {
    const other = { ...coinLog(alice, bob, 5n), address: token }
    expect(
      ofReceipts(polygon, { from: alice, to: token, logs: [coinLog(alice, bob, 0n), other] }).transfers,
    ).toEqual([])
    expect(
      ofReceipts(ethereum, { from: alice, to: token, logs: [coinLog(alice, bob, 5n)] }).transfers,
    ).toEqual([])
  })

  test('shows all native transfers, internal ones included, also in blocks without any', () => {
    expect(ofReceipts(polygon).nativeByEvents).toBe(true)
    expect(ofLogs(polygon).nativeByEvents).toBe(true)
    expect(ofReceipts(ethereum, sent).nativeByEvents).toBe(false)
  })
})

describe('recorded blocks of Polygon', () => {
  test('38102393: 16 native transfers are 5 of transactions themselves and 11 internal ones', () => {
    const { block, receipts } = recordedBlock('polygon/38102393')
    const [read, rows] = [block as unknown as RpcBlock, receipts as unknown as RpcReceipt[]]
    const native = movementsOfReceipts(polygon, read, rows).transfers.filter(
      ({ contract }) => contract === null,
    )
    expect(native.filter(({ movementKey }) => movementKey === 'native')).toHaveLength(5)
    expect(native.filter(({ movementKey }) => movementKey.startsWith('log:'))).toHaveLength(11)
    expect(native).toHaveLength(16)
  })

  test.each(['polygon/38102393', 'polygon/50000000'])(
    '%s: logs alone give the same transfers as receipts, except for the success of transactions',
    (name) => {
      const { block, receipts } = recordedBlock(name)
      const [read, rows] = [block as unknown as RpcBlock, receipts as unknown as RpcReceipt[]]
      const failed = new Set(
        rows.filter(({ status }) => status !== '0x1').map((receipt) => receipt.transactionHash),
      )
      const byLogs = movementsOfLogs(
        polygon,
        read,
        rows.flatMap(({ logs }) => logs),
      )
      const proven = byLogs.transfers
        .filter(({ unproven, txId }) => !unproven || !failed.has(txId))
        .map(({ unproven: _, ...transfer }) => transfer)
      expect(proven).toEqual(movementsOfReceipts(polygon, read, rows).transfers)
    },
  )
})

describe('the native transfer log of EIP-7708', () => {
  const coin = (from: string, to: string, amount: bigint) => tokenTransfer(nativeLogger, from, to, amount)

  test('is a transfer of the native coin, not of a token', () => {
    const { transfers } = ofReceipts(ethereum, { from: alice, to: token, logs: [coin(token, bob, 5n)] })
    expect(transfers).toMatchObject([
      { movementKey: 'log:0', contract: null, from: token, to: bob, amount: 5n },
    ])
  })

  test("of a transaction's own value counts once", () => {
    const logs = [coin(alice, bob, 5n), coin(bob, carol, 5n)]
    expect(brief(ofReceipts(ethereum, { from: alice, to: bob, value: '0x5', logs }).transfers)).toEqual([
      ['native', alice, bob, 5n],
      ['log:1', bob, carol, 5n],
    ])
  })

  test('marks the whole block as showing internal transfers by logs', () => {
    const made = [
      { from: alice, to: bob, value: '0x5', logs: [coin(alice, bob, 5n)] },
      { from: alice, to: bob },
    ]
    expect([ofReceipts(ethereum, ...made).nativeByEvents, ofLogs(ethereum, ...made).nativeByEvents]).toEqual([
      true,
      true,
    ])
  })
})

describe('the value of a transaction', () => {
  test('is not a transfer where the transaction failed; from logs alone it is unproven', () => {
    const failed = { from: alice, to: bob, value: '0x5', status: '0x0' }
    expect(ofReceipts(ethereum, failed).transfers).toEqual([])
    expect(ofLogs(ethereum, failed).transfers).toMatchObject([
      { movementKey: 'native', amount: 5n, unproven: true },
    ])
  })

  test('in a contract creation goes to the address that follows from sender and nonce, not to the one in the receipt', () => {
    const made = madeBlock(7, [{ from: alice, to: null, value: '0x5', contractAddress: carol }])
    const created = createdAddress(alice, '0x0')
    expect(brief(movementsOfReceipts(ethereum, made.block, made.receipts).transfers)).toEqual([
      ['native', alice, created, 5n],
    ])
    // Nodes answer no nonce for some chains' own types: then only the receipt names the contract.
    const block = {
      ...made.block,
      transactions: made.block.transactions.map(({ nonce: _, ...each }) => each),
    }
    expect(brief(movementsOfReceipts(ethereum, block, made.receipts).transfers)).toEqual([
      ['native', alice, carol, 5n],
    ])
    expect(movementsOfLogs(ethereum, block, []).transfers).toEqual([])
  })

  test('in a contract creation goes to the same address from logs alone', () => {
    // The first two contracts of an account, from Ethereum's documentation of `CREATE`.
    const creator = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0'
    const created = [
      '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d',
      '0x343c43a37d37dff08ae8c4a11544c718abb4fcf8',
    ]
    for (const [nonce, address] of created.entries()) {
      const { block } = madeBlock(7, [{ from: creator, to: null, value: '0x5' }])
      const transactions = block.transactions.map((each) => ({ ...each, nonce: hexOf(nonce) }))
      expect(movementsOfLogs(ethereum, { ...block, transactions }, []).transfers).toMatchObject([
        { movementKey: 'native', to: address, unproven: true },
      ])
    }
  })

  test('of zero is kept only with `keepEmpty`, and only without call data', () => {
    const asked = { ...ethereum, keepEmpty: true }
    expect(
      brief(
        ofReceipts(asked, { from: alice, to: bob }, { from: alice, to: bob, input: '0xa9059cbb' }).transfers,
      ),
    ).toEqual([['native', alice, bob, 0n]])
  })
})

describe('a token transfer', () => {
  test('has lower-case addresses, and the index of its log in the block as its key', () => {
    const upper = (address: string) => address.toUpperCase().replace('0X', '0x')
    const logs = [
      { address: token, topics: [transferTopic], data: '0x' },
      tokenTransfer(upper(token), upper(alice), upper(bob), 2n ** 256n - 1n),
    ]
    expect(ofReceipts(ethereum, { from: alice, to: token, logs }).transfers).toMatchObject([
      { movementKey: 'log:1', contract: token, from: alice, to: bob, amount: 2n ** 256n - 1n },
    ])
  })

  test('of zero is dropped, and kept with `keepEmpty`', () => {
    const empty = {
      from: alice,
      to: token,
      input: '0xa9059cbb',
      logs: [tokenTransfer(token, alice, bob, 0n)],
    }
    expect(ofReceipts(ethereum, empty).transfers).toEqual([])
    expect(ofReceipts({ ...ethereum, keepEmpty: true }, empty).transfers).toMatchObject([
      { movementKey: 'log:0', amount: 0n },
    ])
  })

  test("of a transaction that the block does not list is read too: Polygon's state sync", () => {
    const { block, receipts } = madeBlock(7, [
      { from: zeroAddress, to: zeroAddress, logs: [tokenTransfer(token, zeroAddress, bob, 9n)] },
    ])
    const unlisted = { ...block, transactions: [] }
    expect(brief(movementsOfReceipts(polygon, unlisted, receipts).transfers)).toEqual([
      ['log:0', zeroAddress, bob, 9n],
    ])
    const logs = receipts.flatMap((receipt) => receipt.logs)
    expect(brief(movementsOfLogs(polygon, unlisted, logs).transfers)).toEqual([
      ['log:0', zeroAddress, bob, 9n],
    ])
  })
})
