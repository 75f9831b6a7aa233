import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { moveMade, refundMade, settleMade, someAddress } from '../../test/support/madeRefunds.ts'
import {
  confirm,
  type MadeSession,
  makePayment,
  makeSession,
  takeAway,
} from '../../test/support/madeSessions.ts'
import { createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { balanceOf } from '../ledger/balance.ts'
import { readOutflows } from '../outflows/outflow.ts'
import { isGivenBackThere } from '../outflows/outflowSource.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'

// A fork takes away what refunds give back: the business owes nothing for them.

const asset = 'ethereum:USDC'

let database: TestDatabase
let db: ModelDb
let businessId: string
let session: MadeSession
beforeAll(async () => {
  database = await createSessionDatabase()
  db = database.db
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = newId()
  await insertBusiness(db, businessId)
  session = await makeSession(db, businessId, 10n)
})

async function pay(amount: bigint): Promise<string> {
  const detection = await makePayment(db, session, { amount })
  await settleMade(db, session.id)
  return detection
}
const refund = async (amount: string, to: object = { toAddress: someAddress() }) =>
  (await refundMade(db, businessId, session.id, { amount, ...to })).id
const refundExcess = async (to: object) =>
  (await refundMade(db, businessId, session.id, { kind: 'excess', ...to })).id
const fork = async (detection: string) => {
  await takeAway(db, detection)
  await settleMade(db, session.id)
}
const read = async (id: string) => {
  const [{ status, reason } = { status: null, reason: null }] = await readOutflows(db, 'id = $1', [id])
  return [status, reason]
}
const balances = () =>
  Promise.all(
    (['available', 'payouts_held', 'receivable'] as const).map((name) =>
      balanceOf(db, { name, businessId, asset }),
    ),
  )
/** What it ever owed. */
const owed = () =>
  db.query(
    "select 1 from ledger_postings p join ledger_accounts a on a.id = p.account_id where a.name = 'receivable' and a.business_id = $1",
    [businessId],
  )
const units = (amount: bigint) => `0.00000${amount}`

test.each(['awaiting_claim', 'pending'] as const)(
  'one that is %s is cancelled, by the entry that takes the payment back',
  async (status) => {
    const payment = await pay(8n)
    await pay(2n)
    const id = await refund('0.000008', status === 'awaiting_claim' ? { claim: true } : undefined)
    expect([await read(id), await balances()]).toEqual([
      [status, null],
      [2n, 8n, 0n],
    ])
    await fork(payment)
    expect([await read(id), await balances(), await owed()]).toEqual([
      ['cancelled', 'payment_reversed'],
      [0n, 0n, 0n],
      [],
    ])
    await confirm(db, payment)
    await settleMade(db, session.id)
    expect([await read(id), await balances()]).toEqual([
      ['cancelled', 'payment_reversed'],
      [10n, 0n, 0n],
    ])
  },
)

test('of several, the newest are cancelled, as many as are not covered', async () => {
  session = await makeSession(db, businessId, 5n)
  const [, second] = [await pay(6n), await pay(6n)]
  const made = [await refund(units(3n)), await refund(units(4n)), await refund(units(3n))]
  await fork(second)
  expect(await Promise.all(made.map(read))).toEqual([
    ['pending', null],
    ['cancelled', 'payment_reversed'],
    ['cancelled', 'payment_reversed'],
  ])
  expect([(await balances())[1], await owed()]).toEqual([3n, []])
})

test.each(['awaiting_claim', 'pending'] as const)(
  'one of an excess that is %s is cancelled where only the requested amount is left',
  async (status) => {
    session = await makeSession(db, businessId, 5n)
    await pay(5n)
    const second = await pay(5n)
    const id = await refundExcess(
      status === 'awaiting_claim' ? { claim: true } : { toAddress: someAddress() },
    )
    const [row] = await readOutflows(db, 'id = $1', [id])
    await takeAway(db, second)
    // The gate of workers and the link know it before the session is settled.
    expect(row && (await isGivenBackThere(db, row))).toBe(false)
    await settleMade(db, session.id)
    expect([await read(id), await balances(), await owed()]).toEqual([
      ['cancelled', 'payment_reversed'],
      [5n, 0n, 0n],
      [],
    ])
  },
)

test('one that may have left goes on; what is missing then is owed', async () => {
  const payment = await pay(10n)
  const id = await refund('0.00001')
  await moveMade(db, id, 'processing')
  await fork(payment)
  expect([await read(id), await balances()]).toEqual([
    ['processing', null],
    [0n, 10n, 10n],
  ])
})
