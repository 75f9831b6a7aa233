import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { type ConfiguredChain, knownChain } from '../chains/registry.ts'
import { balanceOf } from '../ledger/balance.ts'
import { newId } from '../platform/ids.ts'
import { expectedAt as holdingsOf } from '../sweeps/holdings.ts'
import { acknowledgeRestore, declareRestored } from '../txmgr/restored.ts'
import { bookLostSweeps } from './bookLostSweeps.ts'
import { expectedAt } from './expected.ts'

const [ethereum, solana] = ['ethereum', 'solana'].map(
  (name) => ({ ...knownChain(name), maxFee: 1000n }) as unknown as ConfiguredChain,
)
const address = `0x${'0'.repeat(38)}aa`
let database: TestDatabase
let checkId: string

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  checkId = await check('ethereum')
  await database.db.tx((tx) => declareRestored(tx))
})

async function check(chain: string): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    'insert into chain_checks (chain, ended_at, drifts, addresses) values ($1, now(), 2, 2) returning id',
    [chain],
  )
  return row?.id ?? ''
}

const lost = {
  movements: [
    { address, symbol: 'USDC', amount: -700n },
    { address, symbol: 'ETH', amount: 30n },
  ],
  maxCost: 2000n,
}
const book = (cost = 200n, chain = ethereum) =>
  bookLostSweeps(
    { db: database.db, actor: systemActor('test') },
    chain as ConfiguredChain,
    checkId,
    lost,
    cost,
  ).catch((error: unknown) => error)
const balances = async () =>
  Object.fromEntries(
    await Promise.all(
      (['deposits:ethereum', 'treasury:ethereum', 'network_costs'] as const).map(async (name) => [
        name,
        await Promise.all(
          ['USDC', 'ETH'].map((symbol) =>
            balanceOf(database.db, { name, businessId: null, asset: `ethereum:${symbol}` }),
          ),
        ),
      ]),
    ),
  )
const booked = async () =>
  (await database.db.query<{ count: number }>('select count(*)::int as count from recovered_movements'))[0]
    ?.count

test('is refused in a database that was not restored, or for a check that another one has followed', async () => {
  const later = await check('ethereum')
  expect(await book()).toMatchObject({ status: 409, error: 'check_not_newest' })
  checkId = later
  await database.db.query('update deposit_pool set identity = present_identity()')
  await database.db.tx((tx) => acknowledgeRestore(tx))
  expect(await book()).toMatchObject({ status: 409, error: 'not_restored' })
  expect(await booked()).toBe(0)
})

test.each([2001n, -1n])(
  'is refused with network costs of %s, where fees can be 2000 at most',
  async (cost) => {
    expect(await book(cost)).toMatchObject({ status: 422, error: 'network_costs_too_high' })
    expect(await booked()).toBe(0)
  },
)

test('on solana costs may be less than nothing: closed accounts give back more rent than fees take', async () => {
  checkId = await check('solana')
  expect(await book(-1500n, solana)).toBeUndefined()
  expect(await balanceOf(database.db, { name: 'network_costs', businessId: null, asset: 'solana:SOL' })).toBe(
    -1500n,
  )
})

test('moves the money to the treasury in the books once, and ends sweeps that had planned it', async () => {
  const before = await booked()
  const businessId = newId()
  const { db } = database
  await insertBusiness(db, businessId)
  await db.query(
    "insert into sweep_sources (chain, address, family, business_id) values ('ethereum', $1, 'evm', $2)",
    [address, businessId],
  )
  await db.query(
    `insert into sweeps (id, chain, address, token, contract, decimals, amount, payer, status)
     select gen_random_uuid(), 'ethereum', $1, token, contract, 6, 700, 'treasury', 'authorizing' from (values ('USDC', '0xcc'), ('USDT', '0xdd')) as t(token, contract)`,
    [address],
  )
  expect(await book()).toBeUndefined()
  expect(await balances()).toEqual({
    'deposits:ethereum': [-700n, 30n],
    'treasury:ethereum': [700n, -230n],
    network_costs: [0n, 200n],
  })
  expect(await db.query('select token, status, reason, next_at from sweeps order by token')).toEqual([
    { token: 'USDC', status: 'failed', reason: 'recovered', next_at: null },
    { token: 'USDT', status: 'authorizing', reason: null, next_at: expect.any(Date) },
  ])
  const chain = ethereum as ConfiguredChain
  expect(await holdingsOf(db, chain, address)).toEqual(
    new Map([
      ['USDC', -700n],
      ['ETH', 30n],
    ]),
  )
  expect((await expectedAt(db, chain, [address])).get(address)).toMatchObject(
    new Map([
      ['USDC', { booked: -700n }],
      ['ETH', { booked: 30n }],
    ]),
  )
  expect(await book()).toMatchObject({ status: 409, error: 'check_not_newest' })
  expect(await booked()).toBe((before ?? 0) + 2)
  const [audited] = await db.query(
    "select after from audit_log where action = 'sweeps.recovered' order by id desc limit 1",
  )
  expect(audited).toEqual({ after: { chain: 'ethereum', check: checkId, movements: 2, networkCosts: '200' } })
})
