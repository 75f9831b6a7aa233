import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from 'viem'
import { howMany } from '../../../../test/support/full.ts'
import { baseDeposit } from '../../../../test/support/opSamples.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import {
  encodeTransaction,
  type SlowTransaction,
  slowTransactionHash,
} from '../../../../test/support/slowTransaction.ts'
import { slowRoot } from '../../../../test/support/slowTrie.ts'
import { isProvable, transactionsRoot } from './transactionsRoot.ts'

const rootOf = (transactions: readonly (SlowTransaction & { hash: string })[]) =>
  transactionsRoot(
    transactions.map((fields) => ({
      hash: fields.hash,
      type: Number(fields.type ?? '0x0'),
      fields: { ...fields },
    })),
  )
const named = (transaction: SlowTransaction) => ({ ...transaction, hash: slowTransactionHash(transaction) })

const bytes = (minLength: number, maxLength = minLength) =>
  fc.uint8Array({ minLength, maxLength }).map((array) => toHex(array))
const number = fc.oneof(
  fc.constantFrom('0x0', '0x7f', '0x80'),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => toHex(value)),
)
const to = fc.option(bytes(20))
const types = ['0x0', '0x1', '0x2', '0x3', '0x4', '0x6a', '0x7e'] as const
const transactions: fc.Arbitrary<SlowTransaction> = fc
  .record({
    type: fc.constantFrom(...types),
    chainId: number,
    nonce: number,
    gasPrice: number,
    maxFeePerGas: number,
    maxPriorityFeePerGas: number,
    maxFeePerBlobGas: number,
    gas: number,
    from: bytes(20),
    to,
    value: number,
    input: bytes(0, 300),
    accessList: fc.array(
      fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
    blobVersionedHashes: fc.array(bytes(32), { maxLength: 3 }),
    authorizationList: fc.array(
      fc.record({
        chainId: number,
        address: bytes(20),
        nonce: number,
        yParity: fc.constantFrom('0x0', '0x1'),
        r: number,
        s: number,
      }),
      {
        maxLength: 3,
      },
    ),
    v: fc.constantFrom('0x0', '0x1', '0x1b'),
    r: number,
    s: number,
    sourceHash: bytes(32),
    mint: number,
    isSystemTx: fc.boolean(),
  })
  .map((each) => (each.type === '0x6a' ? { ...each, value: '0x0' } : each))

describe('the root of transactions', () => {
  test.each([
    'ethereum/18000000',
    'ethereum/15753009',
    'polygon/50000000',
    'polygon/38102393',
    'arbitrum/150000000',
  ])('is that of the header of %s', (name) => {
    const { block } = recordedBlock(name)
    expect(rootOf(block.transactions as unknown as (SlowTransaction & { hash: string })[])).toBe(
      block.transactionsRoot,
    )
  })

  test('of an empty list is the root of the empty trie, as in every empty block of Ethereum', () => {
    expect(transactionsRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
  })

  test('includes a deposit of Base as its node answered it, and refuses it with another value', () => {
    expect(rootOf([baseDeposit])).toBe(slowRoot([encodeTransaction(baseDeposit)]))
    expect(() => rootOf([{ ...baseDeposit, value: '0x1' }])).toThrow('does not match its hash')
  })

  test('matches a second implementation for every type and any content', () => {
    fc.assert(
      fc.property(fc.array(transactions, { maxLength: 40 }), (all) => {
        expect(rootOf(all.map(named))).toBe(slowRoot(all.map(encodeTransaction)))
      }),
      { numRuns: howMany(100, 2000) },
    )
  })

  test('refuses a recipient, value or input that does not match the hash', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const true_ = named(transaction)
        const value = toHex(BigInt(transaction.value) ^ 1n)
        expect(() => rootOf([{ ...true_, value }])).toThrow()
        expect(() => rootOf([{ ...true_, input: `${transaction.input}00` }])).toThrow(
          'does not match its hash',
        )
        if (transaction.type !== '0x6a')
          expect(() => rootOf([{ ...true_, to: `0x${'c0'.repeat(20)}` }])).toThrow('does not match its hash')
      }),
      { numRuns: howMany(200, 5000) },
    )
  })

  test('accepts the parity under either name', () => {
    const transaction: SlowTransaction = {
      type: '0x2',
      chainId: '0x1',
      nonce: '0x1',
      maxFeePerGas: '0x2',
      maxPriorityFeePerGas: '0x1',
      gas: '0x5208',
      from: `0x${'11'.repeat(20)}`,
      to: `0x${'22'.repeat(20)}`,
      value: '0x5',
      input: '0x',
      v: '0x1',
      r: '0x7',
      s: '0x8',
    }
    const { v, ...rest } = named(transaction)
    expect(rootOf([{ ...rest, yParity: v } as typeof rest])).toBe(rootOf([{ ...rest, v: '0x1' }]))
  })

  test('is not provable for types whose fields nodes do not answer completely', () => {
    expect(types.map(Number).every(isProvable)).toBe(true)
    for (const type of [0x64, 0x65, 0x66, 0x68, 0x69, 0x78, 0x7b, 0x7f, 0xff])
      expect([type, isProvable(type)]).toEqual([type, false])
  })
})
