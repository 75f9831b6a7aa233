import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { settleMade } from '../../test/support/madeRefunds.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../test/support/madeSessions.ts'
import { settling } from '../../test/support/settling.ts'
import { configuredChains } from '../chains/configuration.ts'
import { createDestination } from '../destinations/createDestination.ts'
import type { BusinessAccountName } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { readOutflows } from '../outflows/outflow.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { getSession } from './getSession.ts'

// Less than was requested, within what the business tolerates: books, payout, events, forks.

const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
let database: TestDatabase
let db: ModelDb
let businessId: string

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  await db.query("insert into chain_cursors (chain, epoch) values ('ethereum', 1) on conflict do nothing")
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = newId()
  await db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', 1)", [businessId])
})

const balance = (name: BusinessAccountName) => balanceOf(db, { name, businessId, asset: 'ethereum:USDC' })
const view = (id: string) => getSession({ db, chains, checkoutUrl }, businessId, id)
/** The data of the session's events of a type, the oldest first. */
const told = async (id: string, type: string) =>
  (
    await db.query<{ data: Record<string, unknown> }>(
      "select data from events where business_id = $1 and type = $2 and data ->> 'id' = $3 order by sequence",
      [businessId, type, id],
    )
  ).map(({ data }) => data)

test('a session is paid with what came: that is credited, and what is missing is named in it and in its event', async () => {
  const session = await makeSession(db, businessId, 10_000_000n, { amountTolerated: '100000' })
  await makePayment(db, session, { amount: 9_950_000n })
  await settleMade(db, session.id)
  expect(await view(session.id)).toMatchObject({
    status: 'paid',
    exception: 'none',
    amountExpected: '10',
    amountReceived: '9.95',
    amountTolerated: '0.1',
    amountShort: '0.05',
  })
  expect(await balance('available')).toBe(9_950_000n)
  expect(await told(session.id, 'session.paid')).toMatchObject([{ status: 'paid', amountShort: '0.05' }])
  expect(await told(session.id, 'session.underpaid')).toEqual([])
})

test('beyond it nothing changes; a session without one shows neither field', async () => {
  const session = await makeSession(db, businessId, 10_000_000n, { amountTolerated: '49999' })
  await makePayment(db, session, { amount: 9_950_000n })
  await settleMade(db, session.id)
  const short = await view(session.id)
  expect(short).toMatchObject({ status: 'pending', exception: 'underpaid', amountTolerated: '0.049999' })
  expect(short).not.toHaveProperty('amountShort')
  const plain = await makeSession(db, businessId, 10_000_000n)
  await makePayment(db, plain, { amount: 10_000_000n })
  await settleMade(db, plain.id)
  const exact = await view(plain.id)
  expect(exact.status).toBe('paid')
  expect(exact).not.toHaveProperty('amountTolerated')
  expect(exact).not.toHaveProperty('amountShort')
})

test('a fork that takes a part back returns it, and gives it again with the payment; a top-up ends the shortage', async () => {
  const session = await makeSession(db, businessId, 10_000_000n, { amountTolerated: '1000000' })
  await makePayment(db, session, { amount: 5_000_000n })
  const second = await makePayment(db, session, { amount: 4_500_000n })
  await settleMade(db, session.id)
  expect(await view(session.id)).toMatchObject({ status: 'paid', amountShort: '0.5' })
  await takeAway(db, second)
  await settleMade(db, session.id)
  const reversed = await view(session.id)
  expect(reversed).toMatchObject({ status: 'pending', exception: 'underpaid', amountReceived: '5' })
  expect(reversed).not.toHaveProperty('amountShort')
  expect([await balance('available'), await balance('pending')]).toEqual([0n, 5_000_000n])
  await confirm(db, second)
  await settleMade(db, session.id)
  expect(await view(session.id)).toMatchObject({ status: 'paid', amountShort: '0.5' })
  await makePayment(db, session, { amount: 600_000n })
  await settleMade(db, session.id)
  const topped = await view(session.id)
  expect(topped).toMatchObject({ status: 'paid', exception: 'overpaid', held: { amount: '0.1' } })
  expect(topped).not.toHaveProperty('amountShort')
  expect(await told(session.id, 'session.reversed')).toHaveLength(1)
})

test('its automatic payout is of what came, with the fee in proportion; what comes later stays in the balance', async () => {
  const ctx = {
    db,
    appKey: settling.appKey,
    chains,
    banks: async () => ({ banks: [], asOf: new Date() }),
    prover: provers.api,
    requestKey: async () => settling.appKey,
  }
  const to = { chain: 'ethereum', address: `0x${newId().replaceAll('-', '').padEnd(40, '0')}` }
  const { id } = await createDestination(ctx, businessId, to, async () => {})
  await db.query(
    "insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)",
    [businessId, id],
  )
  const session = await makeSession(db, businessId, 10_000_000n, {
    amountTolerated: '1000000',
    fee: '0.2',
    feeCurrency: 'USDC',
  })
  await makePayment(db, session, { amount: 9_500_000n })
  await settleMade(db, session.id)
  const [payout] = await readOutflows(db, 'session_id = $1', [session.id])
  // Promised: 0.2 for 10. A fee of the business's one percent would be 0.095.
  expect(payout).toMatchObject({ amount: 9_500_000n, fee: 190_000n })
  expect([await balance('available'), await balance('payouts_held')]).toEqual([0n, 9_500_000n])

  // The rest comes in time, after the payout was made: it is credited, and stays.
  await makePayment(db, session, { amount: 500_000n })
  await settleMade(db, session.id)
  expect(await readOutflows(db, 'session_id = $1', [session.id])).toHaveLength(1)
  expect([await balance('available'), await balance('payouts_held')]).toEqual([500_000n, 9_500_000n])
  const whole = await view(session.id)
  expect(whole).toMatchObject({ status: 'paid', amountReceived: '10' })
  expect(whole).not.toHaveProperty('amountShort')
  expect(whole).not.toHaveProperty('payoutSkipped')
})
