import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import { mnemonicToAccount } from 'viem/accounts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { evmKeyDeriver } from '../chains/evm/keyDeriver.ts'
import type { Db } from '../platform/database/db.ts'
import { openModelDb } from '../platform/database/modelDb.ts'
import { ApiError } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { fillPool, poolSize, replacePool, restoreMargin, takeDepositAddress } from './depositPool.ts'

const phrase = 'test test test test test test test test test test test junk'
const seed = new Secret<Uint8Array>(mnemonicToSeedSync(phrase))
let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase(10)
  db = database.db
})
afterAll(() => database?.drop())
// The template has a full pool of another seed.
beforeEach(async () => {
  await db.query('delete from deposit_addresses')
  await db.query('update deposit_pool set identity = present_identity(), first_index = 0')
})

const fill = (target: number, at: Db = db) =>
  fillPool({ db: at, deriver: evmKeyDeriver, seed }, 'evm', target)
const take = (at: Db = db) => at.tx((tx) => takeDepositAddress(tx, 'evm'))
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )
interface PoolRow {
  index: string
  address: string
  path: string
  taken_at: Date | null
}
const pool = () =>
  db.query<PoolRow>(
    "select index, address, path, taken_at from deposit_addresses where family = 'evm' order by index",
  )

describe('filling the pool', () => {
  test('adds the addresses of the next indexes, without a gap, each with its path', async () => {
    expect(await fill(3)).toBe(3)
    expect(await fill(5)).toBe(2)
    expect(await pool()).toEqual(
      [0, 1, 2, 3, 4].map((index) => {
        const path = `m/44'/60'/1'/0/${index}` as const
        return {
          index: String(index),
          address: mnemonicToAccount(phrase, { path }).address.toLowerCase(),
          path,
          taken_at: null,
        }
      }),
    )
  })

  test('continues in batches until the target is free, and then adds nothing', async () => {
    // A batch is a hundred.
    expect(await fill(130)).toBe(130)
    expect(await poolSize(db, 'evm')).toBe(130)
    expect(await fill(130)).toBe(0)
    expect(await fill(10)).toBe(0)
    expect(await poolSize(db, 'evm')).toBe(130)
  })

  test('replaces taken addresses, and never derives an index again', async () => {
    await fill(3)
    const taken = [await take(), await take()]
    expect(await fill(3)).toBe(2)
    const rows = await pool()
    expect(rows.map((row) => row.index)).toEqual(['0', '1', '2', '3', '4'])
    expect(rows.filter((row) => row.taken_at).map((row) => row.address)).toEqual(taken)
  })

  test('by concurrent treasuries creates no duplicate and leaves no gap', async () => {
    const dbs = Array.from({ length: 3 }, () => openModelDb(database.url, 1))
    try {
      await Promise.all(dbs.map((each) => fill(220, each)))
    } finally {
      await Promise.all(dbs.map((each) => each.close()))
    }
    const rows = await pool()
    expect(rows.length).toBeGreaterThanOrEqual(220)
    expect(rows.map((row) => row.index)).toEqual(rows.map((_, i) => String(i)))
    expect(new Set(rows.map((row) => row.address)).size).toBe(rows.length)
  })

  test('does not count the addresses that another treasury added meanwhile', async () => {
    const slow: Db = {
      ...db,
      async query<R extends object>(text: string, values?: unknown[]) {
        // The other treasury fills the pool after this one has derived the same addresses, before it stores
        // them.
        if (text.includes('insert into deposit_addresses')) expect(await fill(5)).toBe(5)
        return db.query<R>(text, values)
      },
    }
    expect(await fill(5, slow)).toBe(0)
  })
})

describe('taking an address', () => {
  test('gives the oldest free one, permanently', async () => {
    await fill(3)
    const [first, second] = await pool()
    expect(await take()).toBe(first?.address)
    expect(await take()).toBe(second?.address)
    expect(await poolSize(db, 'evm')).toBe(1)
  })

  test('gives each taker a different one, with many taking at once', async () => {
    await fill(100)
    const dbs = Array.from({ length: 5 }, () => openModelDb(database.url, 1))
    try {
      const taken = await Promise.all(
        dbs.map(async (each) => {
          const addresses: string[] = []
          for (let i = 0; i < 20; i++) addresses.push(await take(each))
          return addresses
        }),
      )
      expect(new Set(taken.flat()).size).toBe(100)
      expect(await poolSize(db, 'evm')).toBe(0)
    } finally {
      await Promise.all(dbs.map((each) => each.close()))
    }
  })

  test('does not wait for an open transaction: it takes the next', async () => {
    await fill(2)
    const [first, second] = await pool()
    await db.tx(async (tx) => {
      expect(await takeDepositAddress(tx, 'evm')).toBe(first?.address)
      expect(await take()).toBe(second?.address)
      expect(await failure(take())).toBeInstanceOf(ApiError)
    })
  })

  test('is rolled back with its transaction', async () => {
    await fill(1)
    const [only] = await pool()
    await failure(
      db.tx(async (tx) => {
        await takeDepositAddress(tx, 'evm')
        throw new Error('the session could not be stored')
      }),
    )
    expect(await take()).toBe(only?.address)
  })

  test('from an empty pool is a 503 with a retry time', async () => {
    const error = await failure(take())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 503,
      error: 'no_deposit_address',
      retryAfterSeconds: expect.any(Number),
    })
  })

  test('gives neither an address of another family, nor a taken one whose index is free in another family', async () => {
    await db.query(
      "insert into deposit_addresses (family, index, address, path) values ('tron', 0, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'm')",
    )
    expect(await poolSize(db, 'evm')).toBe(0)
    expect(await failure(take())).toMatchObject({ status: 503 })
    await fill(2)
    const taken = [await take(), await take()]
    expect(new Set(taken).size).toBe(2)
    expect(await failure(take())).toMatchObject({ status: 503 })
    expect(await poolSize(db, 'tron')).toBe(1)
  })
})

describe('of a database that was restored', () => {
  const restore = () => db.query("update deposit_pool set identity = 'what it was'")

  test('no free address is given out, because it may be taken; after renewal, only addresses beyond the margin are', async () => {
    await fill(3)
    const before = [await take()]
    await restore()
    const error = await failure(take())
    expect(error).toMatchObject({
      status: 503,
      error: 'no_deposit_address',
      retryAfterSeconds: expect.any(Number),
    })
    expect(String(error)).toContain('The database was restored')
    expect(await replacePool(db)).toEqual({ takenOff: 2, firstIndex: 3 + restoreMargin })
    expect(await failure(take())).toMatchObject({
      status: 503,
      message: 'No deposit address is ready on this chain; new ones are being made',
    })
    await fill(3)
    const free = (await pool()).filter(({ taken_at }) => taken_at === null)
    expect(free.map(({ index }) => Number(index))).toEqual([0, 1, 2].map((n) => 3 + restoreMargin + n))
    expect(before).not.toContain(await take())
    expect(await replacePool(db)).toBeNull()
  })

  test('a second restore adds the margin again, in each family', async () => {
    await fill(1)
    await db.query(
      "insert into deposit_addresses (family, index, address, path) values ('tron', 41, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'm')",
    )
    await restore()
    expect(await replacePool(db)).toEqual({ takenOff: 2, firstIndex: 42 + restoreMargin })
    await restore()
    expect(await replacePool(db)).toEqual({ takenOff: 0, firstIndex: 42 + 2 * restoreMargin })
    await fill(1)
    expect((await pool()).at(-1)?.index).toBe(String(42 + 2 * restoreMargin))
  })

  test('a treasury that started to fill before another one renewed adds nothing below the margin', async () => {
    await fill(1)
    // Derived, not yet stored.
    let renewed = false
    const slow: Db = {
      ...db,
      query: async (sql, values) => {
        if (sql.includes('insert into') && !renewed) {
          renewed = true
          await restore()
          await replacePool(db)
        }
        return db.query(sql, values)
      },
    }
    expect(await fill(5, slow)).toBe(5)
    expect(
      (await pool()).filter(({ taken_at, index }) => taken_at === null && Number(index) < restoreMargin),
    ).toEqual([])
    expect(await poolSize(db, 'evm')).toBe(5)
  })
})
