import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfers } from '../../test/support/purposes.ts'
import { openModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { claimNonce } from './claimNonce.ts'
import { insertIntent } from './intents.ts'

let database: TestDatabase
let businessId: string
beforeAll(async () => {
  database = await createTestDatabase()
  businessId = newId()
  await insertBusiness(database.db, businessId, 'sender')
})
afterAll(() => database?.drop())
beforeEach(() => database.db.query('delete from intent_nonces'))

const transfer = {
  kind: 'transfer' as const,
  from: '0x000000000000000000000000000000000000000a',
  to: '0x000000000000000000000000000000000000000b',
  token: null,
  amount: 1n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
}

/** An intent of its own takes a nonce. @param fail rolls it back */
const claim = (
  from: bigint,
  {
    db = database.db,
    address = '0x000000000000000000000000000000000000000a',
    chain = 'ethereum',
    fail = false,
  } = {},
): Promise<bigint> =>
  db.tx(async (tx) => {
    const wanted = {
      businessId,
      purpose: 'transfer',
      chain,
      signer: 'caller',
      walletId: null,
      action: transfer,
      symbol: 'ETH',
      decimals: 18,
    } as const
    const row = await insertIntent(transfers, tx, wanted, 1000, null)
    const nonce = await claimNonce(tx, { chain, address, intentId: row.id }, from)
    if (fail) throw new Error('rolled back')
    return nonce
  })

test('nonces follow each other without a gap, from the lowest that the chain allows', async () => {
  expect([await claim(7n), await claim(7n), await claim(8n), await claim(7n)]).toEqual([7n, 8n, 9n, 10n])
})

test('a gap is filled first: a nonce that was given up, or used elsewhere and never sent', async () => {
  expect([await claim(3n), await claim(3n), await claim(3n)]).toEqual([3n, 4n, 5n])
  await database.db.query('delete from intent_nonces where nonce = 4')
  expect([await claim(3n), await claim(3n)]).toEqual([4n, 6n])
})

test('the chain’s nonce counts over the stored one: the key is used elsewhere too', async () => {
  expect([await claim(3n), await claim(20n), await claim(3n), await claim(20n)]).toEqual([3n, 20n, 4n, 21n])
})

test('a transaction that rolls back leaves no gap', async () => {
  await expect(claim(3n, { fail: true })).rejects.toThrow('rolled back')
  expect(await claim(3n)).toBe(3n)
})

test('addresses and chains have nonces of their own', async () => {
  expect([
    await claim(3n),
    await claim(3n, { address: '0x000000000000000000000000000000000000000b' }),
    await claim(3n, { chain: 'polygon' }),
  ]).toEqual([3n, 3n, 3n])
})

test('the largest nonce of Stellar is exact', async () => {
  expect(await claim(9_223_372_036_854_775_806n)).toBe(9_223_372_036_854_775_806n)
})

test('fifty concurrent claims on four connections get fifty nonces without a gap', async () => {
  const dbs = Array.from({ length: 4 }, () => openModelDb(database.url, 5))
  try {
    const claimed = await Promise.all(
      Array.from({ length: 50 }, (_, i) => claim(100n, { db: dbs[i % 4] ?? database.db })),
    )
    expect(claimed.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => 100 + i))
  } finally {
    await Promise.all(dbs.map((db) => db.close()))
  }
})
