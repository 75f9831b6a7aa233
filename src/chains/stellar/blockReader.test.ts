import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import {
  addressOf,
  closedAt,
  madeHeader,
  madeLedger,
  madePayment,
  madeSource,
  madeStellarReader,
  madeTransaction,
} from '../../../test/support/madeLedger.ts'
import { ProviderError } from '../chain.ts'
import { headerOf, type RawTransaction, resultsHash } from './ledger.ts'

const shop = addressOf('shop')
const paid = madeTransaction([madePayment(shop, '5')])
const second = madeTransaction([madePayment(shop, '6')])
const failed = madeTransaction([madePayment(shop, '7')], { failed: true })
const ledgers = [madeLedger(6), madeLedger(7, [paid, failed, second]), madeLedger(8)]
const amounts = (block: { transfers: { amount: bigint }[] } | null) =>
  block?.transfers.map(({ amount }) => amount)

/** A reader whose first source returns other transactions for ledger 7 under the same header. */
const lying = (transactions: RawTransaction[], options = {}) => {
  const [, seventh] = ledgers
  const reported = seventh ? [{ ...seventh, transactions }] : []
  return madeStellarReader([madeSource('liar', reported), madeSource('honest', ledgers)], options)
}

describe('a ledger', () => {
  test('is read completely: its payments, and its header, whose id is the hash of its bytes', async () => {
    const block = await madeStellarReader([madeSource('a', ledgers)]).reader.block(7)
    const id = createHash('sha256')
      .update(madeHeader(7, [paid, failed, second]).toXdr())
      .digest('hex')
    expect(block).toMatchObject({
      height: 7,
      id,
      time: new Date(closedAt(7) * 1000),
      source: 'a',
      traced: true,
    })
    expect(amounts(block)).toEqual([50_000_000n, 60_000_000n])
  })

  test('that no provider has yet is null', async () => {
    const { reader } = madeStellarReader([madeSource('a', ledgers), madeSource('b', [])])
    expect([await reader.block(9), await reader.header(9)]).toEqual([null, null])
  })

  test.each<[string, RawTransaction[]]>([
    ['lacks a transaction', [paid, failed]],
    ['has no transactions', []],
    ['has one twice', [paid, failed, second, second]],
    ['has two in another order', [second, failed, paid]],
    ['reports a success as a failure', [{ ...paid, resultXdr: failed.resultXdr }, failed, second]],
    ['reports a failure as a success', [paid, { ...failed, resultXdr: paid.resultXdr }, second]],
    ['has another transaction in place of one', [madeTransaction([madePayment(shop, '9')]), failed, second]],
  ])('that %s is refused, and read from the next provider', async (_what, transactions) => {
    const { reader, refused } = lying(transactions)
    expect(amounts(await reader.block(7))).toEqual([50_000_000n, 60_000_000n])
    expect(refused).toEqual(['liar'])
  })

  test("is not hashed if the nodes are the operator's own", async () => {
    expect(amounts(await lying([paid], { trusted: true }).reader.block(7))).toEqual([50_000_000n])
  })

  test('without a valid answer from any provider is a failure, not an empty ledger', async () => {
    const [, seventh] = ledgers
    const only = madeSource('liar', seventh ? [{ ...seventh, transactions: [] }] : [])
    await expect(madeStellarReader([only]).reader.block(7)).rejects.toThrow(ProviderError)
  })

  test('is final as soon as it is closed: the newest of all providers is head and finalized', async () => {
    const { reader } = madeStellarReader([madeSource('stale', ledgers.slice(0, 1)), madeSource('a', ledgers)])
    expect((await reader.head()).height).toBe(8)
    expect(await reader.tips()).toMatchObject([
      { source: 'stale', head: 6, finalized: { height: 6 } },
      { source: 'a', head: 8, finalized: { height: 8 } },
    ])
  })
})

describe('several ledgers', () => {
  test('are read in order up to the first that no provider has', async () => {
    const { reader } = madeStellarReader([madeSource('a', ledgers)])
    expect((await reader.blocks(6, 8)).map(({ height }) => height)).toEqual([6, 7, 8])
    expect((await reader.blocks(7, 12)).map(({ height }) => height)).toEqual([7, 8])
    await expect(reader.blocks(9, 12)).rejects.toThrow(ProviderError)
  })
})

describe('a cross-check', () => {
  const crossCheck = async (theirs: ReturnType<typeof madeLedger>[], change = {}) => {
    const { reader } = madeStellarReader([madeSource('a', ledgers), madeSource('b', theirs, change)])
    const block = await reader.block(7)
    return block && reader.crossCheck(block, block.transfers)
  }
  test('agrees on the same ledger, and on no other one', async () => {
    expect(await crossCheck(ledgers)).toMatchObject({ said: 'agrees' })
    expect(await crossCheck([madeLedger(7, [paid, failed, second], 'b')])).toMatchObject({
      said: 'disagrees',
    })
    expect(await crossCheck([madeLedger(7, [paid, failed])])).toMatchObject({ said: 'disagrees' })
    expect(await crossCheck([madeLedger(6)])).toMatchObject({ said: 'has it not' })
    expect(
      await crossCheck(ledgers, { ledger: () => Promise.reject(new ProviderError('no')) }),
    ).toMatchObject({ said: 'cannot say' })
  })
})

describe('a transaction by its id', () => {
  const explained = (txId: string) => madeStellarReader([madeSource('a', ledgers)]).reader.transaction(txId)
  const { resultsHash: _, ...header } = madeLedger(7, [paid, failed, second]).header

  test('that succeeded has its ledger and its movements', async () => {
    expect(await explained(paid.hash)).toMatchObject({
      status: 'succeeded',
      block: header,
      transfers: [{ amount: 50_000_000n }],
      traced: true,
    })
    expect((await explained(paid.hash))?.block).toEqual(header)
  })

  test('that failed has its intended movements', async () => {
    expect(await explained(failed.hash)).toMatchObject({
      status: 'failed',
      block: { height: 7 },
      transfers: [{ to: shop, amount: 70_000_000n }],
    })
  })

  test('is null if no provider knows it', async () => {
    expect(await explained('ab'.repeat(32))).toBeNull()
  })

  test('is read from the next provider if one lacks its ledger', async () => {
    const { reader } = madeStellarReader([
      madeSource('a', ledgers, { header: async () => null }),
      madeSource('b', ledgers),
    ])
    expect(await reader.transaction(paid.hash)).toMatchObject({ status: 'succeeded' })
  })
})

test('a header of another ledger than the requested one is refused', () => {
  expect(() => headerOf(madeHeader(7), 8)).toThrow(ProviderError)
})

test('an empty list of transactions has a hash too', () => {
  expect(resultsHash([])).toBe(createHash('sha256').update(Buffer.alloc(4)).digest('hex'))
})
