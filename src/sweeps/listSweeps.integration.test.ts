import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { chains } from '../../test/support/sessionDatabase.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { openBusiness } from '../businesses/operateBusinesses.ts'
import { newId } from '../platform/ids.ts'
import { listFloats } from './listFloats.ts'
import { listSweeps } from './listSweeps.ts'

let database: TestDatabase
let ours: string
let theirs: string
const whole = { page: 1, limit: 100, sort: 'ASC' } as const
const open = async () =>
  (await openBusiness(database, systemActor('test'), { name: 'B', ownerEmail: 'a@example.com' })).business.id

/** A sweep of a new deposit address. */
async function sweep(businessId: string, status: string, amount = '1500000'): Promise<string> {
  const id = newId()
  const address = `0x${id.replaceAll('-', '').padStart(40, '0')}`
  await database.db.query(
    "insert into sweep_sources (chain, address, family, business_id) values ('ethereum', $1, 'evm', $2)",
    [address, businessId],
  )
  await database.db.query(
    `insert into sweeps (id, chain, address, token, decimals, amount, payer, status) values ($1, 'ethereum', $2, 'USDC', 6, $3, 'deposit', $4)`,
    [id, address, amount, status],
  )
  return id
}

beforeAll(async () => {
  database = await createTestDatabase()
  ours = await open()
  theirs = await open()
})
afterAll(() => database?.drop())

test('a business lists the sweeps of its own addresses, by state, page by page', async () => {
  const made = [
    await sweep(ours, 'waiting', '1'),
    await sweep(ours, 'sending'),
    await sweep(ours, 'done'),
    await sweep(ours, 'failed'),
  ]
  const other = await sweep(theirs, 'done')
  const ids = async (filter: Parameters<typeof listSweeps>[2], businessId = ours) =>
    (await listSweeps(database, businessId, filter, whole)).sweeps.map(({ id }) => id)
  expect(await ids({})).toEqual(made)
  expect(await ids({ state: ['open'] })).toEqual(made.slice(0, 2))
  expect([await ids({ state: ['done'] }), await ids({ state: ['failed'] })]).toEqual([
    made.slice(2, 3),
    made.slice(3),
  ])
  expect(await ids({ chain: 'base' })).toEqual([])
  expect(await ids({}, theirs)).toEqual([other])
  const first = await listSweeps(database, ours, {}, { page: 1, limit: 3, sort: 'DESC' })
  expect([first.total, first.totalPages, first.sweeps[0]?.amount]).toEqual([4, 2, '1.5'])
  const rest = await listSweeps(
    database,
    ours,
    {},
    { page: 1, limit: 3, sort: 'DESC', cursor: first.nextCursor ?? '' },
  )
  expect(rest.sweeps).toMatchObject([
    { id: made[0], amount: '0.000001', state: 'open', status: 'waiting', txId: null },
  ])
})

test('operators see what the treasury holds, and where it is too little', async () => {
  expect(await listFloats({ ...database, chains })).toEqual([])
  await database.db.query(
    "insert into treasury_floats (chain, token, balance) values ('ethereum', 'USDC', 1500000), ('ethereum', 'ETH', 1), ('base', 'USDC', 5)",
  )
  await database.db.query(
    "insert into treasury_levels (chain, token, low_water) values ('ethereum', 'USDC', 1500000)",
  )
  expect(await listFloats({ ...database, chains })).toMatchObject([
    { symbol: 'ETH', balance: '0.000000000000000001', lowWater: '0.01', isLow: true, address: null },
    { symbol: 'USDC', balance: '1.5', lowWater: '1.5', isLow: false },
  ])
  await database.db.query("insert into treasury_addresses (family, address) values ('evm', $1)", [
    `0x${'ab'.repeat(20)}`,
  ])
  expect((await listFloats({ ...database, chains }))[0]?.address?.toLowerCase()).toBe(`0x${'ab'.repeat(20)}`)
})
