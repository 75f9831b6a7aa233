import { describe, expect, test } from '@jest/globals'
import {
  account,
  blockHash,
  type MadeBlock,
  madeBlock,
  madeNode,
  madeReader,
  zeroAddress,
} from '../../../../test/support/madeNode.ts'
import { another, rootOf, validator, withWithdrawals } from '../../../../test/support/madeWithdrawals.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import { ProviderError } from '../../chain.ts'
import type { RpcHeader } from '../rpcTypes.ts'
import { type RpcWithdrawal, withdrawalsOf } from './withdrawals.ts'

type Paying = RpcHeader & { withdrawals?: RpcWithdrawal[] | null; withdrawalsRoot?: string | null }
const gwei = 10n ** 9n
const rules = { ownReceipts: false }
const height = 7
const paying = withWithdrawals(madeBlock(height, [{ value: '0x5' }]), [
  [validator, 3n],
  [another, 2n ** 64n - 1n],
  [validator, 4n],
])
const block = paying.block as Paying
const [first, second, third] = block.withdrawals as [RpcWithdrawal, RpcWithdrawal, RpcWithdrawal]
const transfer = (index: number, to: string, amount: bigint) => ({
  txId: paying.block.hash,
  movementKey: `withdrawal:${index}`,
  contract: null,
  from: zeroAddress,
  to,
  amount: amount * gwei,
  only: 'in',
})
const all = [transfer(7, validator, 3n), transfer(8, another, 2n ** 64n - 1n), transfer(9, validator, 4n)]

describe('withdrawals of validators', () => {
  test('are transfers to their addresses in wei, with the block id and their index as the key', () => {
    expect(withdrawalsOf(rules, block)).toEqual(all)
  })

  test('of a recorded block are all sixteen, and match the root of its header', () => {
    const recorded = recordedBlock('ethereum/18000000').block as unknown as Paying
    const found = withdrawalsOf(rules, recorded)
    expect(found).toHaveLength(16)
    expect(found[0]).toEqual({
      txId: recorded.hash,
      movementKey: `withdrawal:${0xeb9b8c}`,
      contract: null,
      from: zeroAddress,
      to: '0xd7a0b38496064412a8d6b1f77bc30ada93e7b7a5',
      amount: 0xeb0d50n * gwei,
      only: 'in',
    })
    expect(found.every(({ amount }) => amount > 0n)).toBe(true)
  })

  test('are empty before the Shanghai fork, and for an empty list', () => {
    expect(withdrawalsOf(rules, madeBlock(1).block)).toEqual([])
    expect(withdrawalsOf(rules, withWithdrawals(madeBlock(1), []).block)).toEqual([])
    expect(withdrawalsOf(rules, { ...madeBlock(1).block, withdrawalsRoot: rootOf([]) } as Paying)).toEqual([])
  })

  test('of amount zero are left out', () => {
    expect(withdrawalsOf(rules, withWithdrawals(madeBlock(1), [[validator, 0n]]).block)).toEqual([])
  })

  test.each<[string, Partial<Paying>]>([
    ['leave one out', { withdrawals: [first, second] }],
    ['are an empty list', { withdrawals: [] }],
    ['are left out', { withdrawals: null }],
    ['are of another amount', { withdrawals: [first, { ...second, amount: '0x1' }, third] }],
    ['are of another address', { withdrawals: [first, { ...second, address: account(33) }, third] }],
    ['are of another index', { withdrawals: [first, { ...second, index: '0x63' }, third] }],
    ['are in another order', { withdrawals: [second, first, third] }],
    ['have one more', { withdrawals: [first, second, third, { ...third, index: '0xa' }] }],
    ['have no root in the header', { withdrawalsRoot: null }],
    ['have an amount that is not a number', { withdrawals: [first, { ...second, amount: 'much' }, third] }],
    ['have an address that is too short', { withdrawals: [first, { ...second, address: '0x12' }, third] }],
  ])('that %s are refused', (_what, change) => {
    expect(() => withdrawalsOf(rules, { ...block, ...change } as Paying)).toThrow(ProviderError)
  })

  test('are the same from a node that pads numbers and writes addresses in upper case', () => {
    const padded = [first, second, third].map(({ index, validatorIndex, address, amount }) => ({
      index: index.replace('0x', '0x000'),
      validatorIndex,
      address: `0x${address.slice(2).toUpperCase()}`,
      amount: amount.replace('0x', '0x0'),
    }))
    expect(withdrawalsOf(rules, { ...block, withdrawals: padded } as Paying)).toEqual(all)
  })

  test('are empty on base and optimism, where the root has another meaning; a list is refused there', () => {
    const ofRollup = { ...block, withdrawals: [], withdrawalsRoot: `0x${'5e'.repeat(32)}` } as Paying
    expect(withdrawalsOf({ ownReceipts: true }, ofRollup)).toEqual([])
    expect(() => withdrawalsOf({ ownReceipts: true }, { ...ofRollup, withdrawals: [first] })).toThrow(
      ProviderError,
    )
  })

  test('are not checked where the nodes belong to the operator', () => {
    expect(withdrawalsOf({ ...rules, trusted: true }, { ...block, withdrawals: [first] })).toEqual([all[0]])
  })
})

describe('a reader of withdrawals', () => {
  const blocks = [madeBlock(6), paying, madeBlock(8)]
  const keys = (transfers: readonly { movementKey: string }[] = []) =>
    transfers.map(({ movementKey }) => movementKey)
  const withdrawn = ['withdrawal:7', 'withdrawal:8', 'withdrawal:9']
  const short = ({ receipts }: MadeBlock): MadeBlock => ({
    block: { ...block, withdrawals: [first] } as Paying & MadeBlock['block'],
    receipts,
  })

  test('finds them in blocks read by receipts, by logs, and far below the head', async () => {
    expect(keys((await madeReader([madeNode('a', blocks)]).reader.block(height))?.transfers)).toEqual([
      'native',
      ...withdrawn,
    ])
    const byLogs = madeReader([
      madeNode('a', blocks, { without: new Set(['eth_getBlockReceipts', 'debug_traceBlockByHash']) }),
    ]).reader
    await byLogs.verify()
    expect(keys((await byLogs.block(height))?.transfers)).toEqual(['native', ...withdrawn])
    const [light] = await madeReader([madeNode('a', blocks)]).reader.blocks(height, height)
    expect(keys(light?.transfers)).toEqual(withdrawn)
  })

  test('finds them in a block without transactions', async () => {
    const empty = withWithdrawals(madeBlock(height), [[validator, 1n]])
    expect(keys((await madeReader([madeNode('a', [empty])]).reader.block(height))?.transfers)).toEqual([
      'withdrawal:7',
    ])
  })

  test('reads another node where one omits some', async () => {
    const { reader, refused } = madeReader([
      madeNode('a', [madeBlock(6), short(paying)]),
      madeNode('b', blocks),
    ])
    expect(await reader.block(height)).toMatchObject({ source: 'b' })
    expect((await reader.blocks(height, height)).map(({ source }) => source)).toEqual(['b'])
    expect(refused).toContain('a')
  })

  test('cross-checks them with a second node, which disagrees about one that it does not have', async () => {
    const { reader } = madeReader([madeNode('a', blocks), madeNode('b', blocks)])
    const found = ((await reader.block(height))?.transfers ?? []).filter(({ to }) => to === validator)
    const asked = { height, id: block.hash, source: 'a' }
    expect(await reader.crossCheck(asked, found)).toMatchObject({ said: 'agrees' })
    const [one] = found
    if (!one) throw new Error('no withdrawal was found')
    expect(await reader.crossCheck(asked, [{ ...one, amount: 1n }])).toMatchObject({ said: 'disagrees' })
    expect(
      await reader.crossCheck(asked, [...found, { ...one, movementKey: 'withdrawal:10' }]),
    ).toMatchObject({ said: 'disagrees' })
  })

  test('explains them by their block id, but not another block or a block of a fork', async () => {
    const { reader } = madeReader([madeNode('a', blocks)])
    expect(await reader.transaction(block.hash)).toMatchObject({
      status: 'succeeded',
      block: { height },
      transfers: all,
      traced: true,
    })
    expect(await reader.transaction(blockHash(8))).toBeNull()
    const forked = madeNode('a', blocks, {
      answer: { eth_getBlockByHash: () => ({ ...block, hash: blockHash(height, 'b') }) },
    })
    expect(await madeReader([forked]).reader.transaction(blockHash(height, 'b'))).toBeNull()
    expect(
      await madeReader([
        madeNode('a', blocks, { without: new Set(['eth_getBlockByHash', 'debug_traceBlockByHash']) }),
      ]).reader.transaction(block.hash),
    ).toBeNull()
  })
})
