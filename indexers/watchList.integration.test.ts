import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import type { Family } from '../src/chains/chain.ts'
import { type DirectConnection, openDirect } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { pause } from '../src/platform/wait.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { howMany } from '../test/support/full.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { loadWatchList } from './watchList.ts'

let database: TestDatabase
let direct: DirectConnection
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  direct = await openDirect(database.url, 'watch list test')
  await insertBusiness(database.db, businessId, 'test')
})
afterAll(async () => {
  await direct?.close()
  await database?.drop()
})

const newAddress = () => randomBytes(20)
const insert =
  'insert into watches (id, family, chain, address, business_id, purpose, subject_id) values ($1, $2, $3, $4, $5, $6, $1)'
const row = (address: Buffer, options: { family?: Family; chain?: string | null; id?: string } = {}) => [
  options.id ?? newId(),
  options.family ?? 'evm',
  options.chain ?? null,
  address,
  businessId,
  'session',
]

/** A separate session, whose transactions stay open as long as the test wants. */
const writers: pg.Client[] = []
async function openWriter(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  writers.push(client)
  return client
}
afterEach(async () => {
  await Promise.all(writers.splice(0).map((client) => client.end()))
})

const load = () => loadWatchList(direct, 'evm', 'ethereum')

describe('reading the tail', () => {
  test('finds watches committed since the load; the load finds earlier ones', async () => {
    const [before, after] = [newAddress(), newAddress()]
    await database.db.query(insert, row(before))
    const list = await load()
    expect(list.has(before)).toBe(true)
    await database.db.query(insert, row(after))
    expect(list.has(after)).toBe(false)
    await list.readTail()
    expect(list.has(after)).toBe(true)
    expect(list.has(before)).toBe(true)
  })

  test('does not see an address while its transaction is open, and sees it in the first read after its commit, though later rows were read before', async () => {
    const list = await load()
    const slow = await openWriter()
    const [early, late] = [newAddress(), newAddress()]
    await slow.query('begin')
    await slow.query(insert, row(early))
    // Inserted later, under a higher id and a higher transaction id, and committed first.
    await database.db.query(insert, row(late))
    await list.readTail()
    expect([list.has(early), list.has(late)]).toEqual([false, true])
    await list.readTail()
    expect(list.has(early)).toBe(false)
    await slow.query('commit')
    await list.readTail()
    expect(list.has(early)).toBe(true)
  })

  test('finds a row whose transaction was open during the load', async () => {
    const slow = await openWriter()
    const early = newAddress()
    await slow.query('begin')
    await slow.query(insert, row(early))
    // A newer transaction that has ended: the open one is then not the last.
    await database.db.query(insert, row(newAddress()))
    const list = await load()
    await slow.query('commit')
    await list.readTail()
    expect(list.has(early)).toBe(true)
  })

  test('finds a row of a transaction that took its id long before it wrote, and of one that wrote within a savepoint', async () => {
    const slow = await openWriter()
    const [own, nested] = [newAddress(), newAddress()]
    await slow.query('begin')
    await slow.query('select pg_current_xact_id()')
    const list = await load()
    for (let i = 0; i < 3; i++) {
      await database.db.query(insert, row(newAddress()))
      await list.readTail()
    }
    await slow.query(insert, row(own))
    await slow.query('savepoint nested')
    await slow.query(insert, row(nested))
    await slow.query('release savepoint nested')
    await list.readTail()
    expect([list.has(own), list.has(nested)]).toEqual([false, false])
    await slow.query('commit')
    await list.readTail()
    expect([list.has(own), list.has(nested)]).toEqual([true, true])
  })

  test('never sees a rolled back row', async () => {
    const list = await load()
    const slow = await openWriter()
    const rolledBack = newAddress()
    await slow.query('begin')
    await slow.query(insert, row(rolledBack))
    await list.readTail()
    await slow.query('rollback')
    await list.readTail()
    expect(list.has(rolledBack)).toBe(false)
  })

  test('does not move the watermark past an open transaction, and moves it on after that', async () => {
    const list = await load()
    const slow = await openWriter()
    await slow.query('begin')
    const { rows } = await slow.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
    const held = BigInt(rows[0]?.xid ?? 0)
    for (let i = 0; i < 3; i++) {
      const before = list.watermark
      await database.db.query(insert, row(newAddress()))
      await list.readTail()
      expect(list.watermark).toBeLessThanOrEqual(held)
      expect(list.watermark).toBeGreaterThanOrEqual(before)
    }
    await slow.query('rollback')
    // Transaction ids belong to the whole server: another suite may hold it a little longer.
    await waitFor('the watermark to move on', async () => {
      await list.readTail()
      return list.watermark > held
    })
  })

  test('sees a rewritten row, because the change updates its `xid`', async () => {
    const address = newAddress()
    const id = newId()
    await database.db.query(insert, row(address, { id, chain: 'polygon' }))
    const list = await load()
    expect(list.has(address)).toBe(false)
    await database.db.query('update watches set chain = null where id = $1', [id])
    await list.readTail()
    expect(list.has(address)).toBe(true)
  })
})

describe('the addresses of a watch list', () => {
  test('are those of the chain and of the whole family, by load and tail, and no others', async () => {
    const watches = () => ({
      family: { address: newAddress(), chain: null, family: 'evm' },
      chain: { address: newAddress(), chain: 'ethereum', family: 'evm' },
      otherChain: { address: newAddress(), chain: 'polygon', family: 'evm' },
      otherFamily: { address: newAddress(), chain: null, family: 'tron' },
    })
    const [loaded, tailed] = [watches(), watches()] as const
    const write = async (all: ReturnType<typeof watches>) => {
      for (const { address, chain, family } of Object.values(all))
        await database.db.query(insert, row(address, { chain, family: family as Family }))
    }
    await write(loaded)
    const list = await load()
    await write(tailed)
    await list.readTail()
    for (const all of [loaded, tailed]) {
      expect(
        Object.fromEntries(Object.entries(all).map(([name, { address }]) => [name, list.has(address)])),
      ).toEqual({
        family: true,
        chain: true,
        otherChain: false,
        otherFamily: false,
      })
    }
  })

  test('are counted once each', async () => {
    const list = await load()
    const before = list.size
    const address = newAddress()
    await database.db.query(insert, row(address))
    await database.db.query(insert, row(address))
    await database.db.query(insert, row(newAddress()))
    await list.readTail()
    expect(list.size).toBe(before + 2)
  })
})

test('the first read that starts after a commit has its address, with any writers in any order', async () => {
  const list = await load()
  const rounds = howMany(40, 500)
  const committed = new Set<Buffer>()
  const rolledBack: Buffer[] = []
  let writing = 6

  async function write(): Promise<void> {
    const client = await openWriter()
    for (let i = 0; i < rounds; i++) {
      const addresses = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, newAddress)
      await client.query('begin')
      for (const address of addresses) {
        await client.query(insert, row(address))
        await pause(Math.random() * 4)
      }
      await pause(Math.random() * 12)
      if (Math.random() < 0.15) {
        await client.query('rollback')
        rolledBack.push(...addresses)
      } else {
        await client.query('commit')
        for (const address of addresses) committed.add(address)
      }
    }
    writing--
  }

  async function read(): Promise<{ reads: number; missed: number; checked: number }> {
    const counts = { reads: 0, missed: 0, checked: 0 }
    for (let last = false; !last; ) {
      last = writing === 0
      const before = [...committed]
      await list.readTail()
      counts.reads++
      for (const address of before) {
        if (!list.has(address)) counts.missed++
        else committed.delete(address)
        counts.checked++
      }
    }
    return counts
  }

  const [counts] = await Promise.all([read(), ...Array.from({ length: writing }, write)])
  expect(counts.missed).toBe(0)
  expect(committed.size).toBe(0)
  expect(counts.checked).toBeGreaterThan(rounds * 3)
  // Otherwise no read overlapped with a write.
  expect(counts.reads).toBeGreaterThan(rounds / 2)
  expect(rolledBack.filter((address) => list.has(address))).toEqual([])
})
