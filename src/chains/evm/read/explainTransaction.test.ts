import { describe, expect, test } from '@jest/globals'
import {
  account,
  blockHash,
  type MadeTransaction,
  madeBlock,
  madeNode,
  madeReader,
  tokenTransfer,
  word,
} from '../../../../test/support/madeNode.ts'
import { ProviderError } from '../../chain.ts'

const [alice, bob, carol, token] = [account(1), account(2), account(3), account(77)]
type Change = Parameters<typeof madeNode>[2]

/** Facts about a transaction that is alone in its block. */
async function explained(transaction: MadeTransaction, change: Change = {}) {
  const made = madeBlock(7, [transaction])
  const { reader } = madeReader([madeNode('a', [made, madeBlock(8)], change)])
  return reader.transaction(made.block.transactions[0]?.hash ?? '')
}
const call = (selector: string, ...words: (bigint | string)[]) =>
  `${selector}${words.map((each) => (typeof each === 'string' ? each.slice(2).padStart(64, '0') : word(each))).join('')}`
const transferCall = (to: string, amount: bigint) => call('0xa9059cbb', to, amount)
const traces: Change = {
  without: new Set(),
  answer: {
    debug_traceBlockByHash: () => [{ result: { type: 'CALL', from: alice, to: bob } }],
    debug_traceTransaction: () => ({
      type: 'CALL',
      from: alice,
      to: bob,
      value: '0x5',
      calls: [{ type: 'CALL', from: bob, to: carol, value: '0x3' }],
    }),
  },
}

describe('an explained transaction', () => {
  test('is null where no provider knows it', async () => {
    const { reader } = madeReader([madeNode('a', [madeBlock(7)]), madeNode('b', [madeBlock(7)])])
    expect(await reader.transaction(blockHash(1, 'no such'))).toBeNull()
  })

  test('that succeeded has its block and its transfers, and a note that internal ones were not read', async () => {
    const facts = await explained({
      from: alice,
      to: bob,
      value: '0x5',
      logs: [tokenTransfer(token, alice, carol, 9n)],
    })
    expect(facts).toEqual({
      status: 'succeeded',
      block: {
        height: 7,
        id: expect.stringMatching(/^0x/),
        parentId: blockHash(6),
        time: new Date((1_700_000_000 + 84) * 1000),
      },
      transfers: [
        { txId: expect.any(String), movementKey: 'native', contract: null, from: alice, to: bob, amount: 5n },
        {
          txId: expect.any(String),
          movementKey: 'log:0',
          contract: token,
          from: alice,
          to: carol,
          amount: 9n,
        },
      ],
      traced: false,
    })
  })

  test('has its internal transfers where the provider traces', async () => {
    const facts = await explained({ from: alice, to: bob, value: '0x5' }, traces)
    expect(facts).toMatchObject({
      traced: true,
      transfers: [
        { movementKey: 'native' },
        { movementKey: `trace:${bob}:${carol}:3:0`, from: bob, to: carol, amount: 3n },
      ],
    })
  })

  test('shows zero transfers, which did not count', async () => {
    const facts = await explained({ from: alice, to: bob, logs: [tokenTransfer(token, alice, carol, 0n)] })
    expect(facts?.transfers).toMatchObject([
      { movementKey: 'native', amount: 0n },
      { movementKey: 'log:0', amount: 0n },
    ])
  })

  test('that failed shows the intended transfer: its value, or the token transfer that it called', async () => {
    expect(await explained({ from: alice, to: bob, value: '0x5', status: '0x0' })).toMatchObject({
      status: 'failed',
      block: { height: 7 },
      transfers: [{ movementKey: 'native', to: bob, amount: 5n }],
    })
    expect(
      await explained({ from: alice, to: token, input: transferCall(carol, 9n), status: '0x0' }),
    ).toMatchObject({
      status: 'failed',
      transfers: [{ movementKey: 'call', contract: token, from: alice, to: carol, amount: 9n }],
    })
    expect(
      await explained({ from: alice, to: token, input: call('0x23b872dd', bob, carol, 9n), status: '0x0' }),
    ).toMatchObject({
      transfers: [{ movementKey: 'call', contract: token, from: bob, to: carol, amount: 9n }],
    })
  })

  test.each([
    ['another call', '0x12345678'],
    ['a call that is cut off', transferCall(carol, 9n).slice(0, 100)],
    ['data too short for a call', '0xa9'],
  ])('that failed with %s has no intended transfer', async (_what, input) => {
    expect((await explained({ from: alice, to: token, input, status: '0x0' }))?.transfers).toEqual([])
  })

  test('that is pending has no block, and its intended transfer', async () => {
    const pending: Change = {
      answer: { eth_getTransactionByHash: (_, truth) => ({ ...(truth() as object), blockNumber: null }) },
    }
    expect(await explained({ from: alice, to: bob, value: '0x5' }, pending)).toMatchObject({
      status: 'pending',
      block: null,
      traced: false,
      transfers: [{ movementKey: 'native', amount: 5n }],
    })
  })

  test('is read from the next provider where one answers inconsistently', async () => {
    const made = madeBlock(7, [{ from: alice, to: bob, value: '0x5' }])
    const txId = made.block.transactions[0]?.hash ?? ''
    const lying: Change = {
      answer: {
        eth_getTransactionReceipt: (_, truth) => ({ ...(truth() as object), blockHash: blockHash(7, 'b') }),
      },
    }
    const facts = await madeReader([madeNode('a', [made], lying), madeNode('b', [made])]).reader.transaction(
      txId,
    )
    expect(facts).toMatchObject({ status: 'succeeded' })
    await expect(madeReader([madeNode('a', [made], lying)]).reader.transaction(txId)).rejects.toThrow(
      ProviderError,
    )
    const without: Change = { answer: { eth_getTransactionReceipt: () => null } }
    await expect(madeReader([madeNode('a', [made], without)]).reader.transaction(txId)).rejects.toThrow(
      ProviderError,
    )
  })
})
