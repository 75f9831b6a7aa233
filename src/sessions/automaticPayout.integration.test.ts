import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../test/support/madeSessions.ts'
import { notedStatements } from '../../test/support/notedStatements.ts'
import { createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import { urlAs } from '../../test/support/template.ts'
import { configuredChains } from '../chains/configuration.ts'
import { createDestination } from '../destinations/createDestination.ts'
import type { WantedDestination } from '../destinations/readDestination.ts'
import { type BusinessAccountName, platformAccount } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import { moveOutflow, type OutflowChange } from '../outflows/moveOutflow.ts'
import { lockOutflow, type Outflow, readOutflows } from '../outflows/outflow.ts'
import { outflowMessage } from '../outflows/outflowProof.ts'
import { storeOutflow } from '../outflows/storeOutflow.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { paidWith, payableOf } from './automaticPayout.ts'
import { getSession } from './getSession.ts'
import { resolveSession } from './resolveSession.ts'
import { settleSession } from './settleSession.ts'

const node = 'http://127.0.0.1:1'
const { chains } = configuredChains({ ETHEREUM_RPC_URLS: node, BSC_RPC_URLS: node, STELLAR_RPC_URLS: node })
const asset = tokenAsset('ethereum', 'USDC')
let database: TestDatabase
let db: ModelDb
/** By the rights of a worker. */
let worker: Db

beforeAll(async () => {
  database = await createSessionDatabase()
  db = database.db
  worker = openDb(urlAs('worker', database.url), 4)
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})

const wallet = (chain = 'ethereum'): WantedDestination => ({
  chain,
  address:
    chain === 'stellar'
      ? 'GA26H3MWSOUHFP7C44MPZG36CZORNMRF5UV2NYI5ELAODMK3E5TEMCLF'
      : `0x${randomBytes(20).toString('hex')}`,
  ...(chain === 'stellar' && { memo: '77', memoType: 'id' }),
})
const account: WantedDestination = {
  networkId: 'bank',
  accountNumber: '0123456789',
  accountName: 'Ada Stores',
}
const banks = async () => ({
  banks: [{ id: 'bank', name: 'A Bank', code: '1', countryCode: 'NG', currencies: ['NGN'] }],
  asOf: new Date(),
})

/** A business that pays out to this destination by itself; null: autopayout is off. */
async function open(
  to: WantedDestination | null,
  feePercent = '1',
): Promise<{ businessId: string; destinationId: string | null }> {
  const businessId = newId()
  await db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', $2)", [
    businessId,
    feePercent,
  ])
  if (to === null) return { businessId, destinationId: null }
  const ctx = {
    db,
    appKey: settling.appKey,
    chains,
    banks,
    prover: provers.api,
    requestKey: async () => settling.appKey,
  }
  const { id } = await createDestination(ctx, businessId, to, async () => {})
  await db.query(
    "insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)",
    [businessId, id],
  )
  return { businessId, destinationId: id }
}

const settle = (sessionId: string, by: Pick<Db, 'tx'> = worker) =>
  settleSession({ ...settling, db: { ...worker, ...by }, chains }, { sessionId, outboxId: '0' })
async function paid(businessId: string, amount: bigint, terms: Parameters<typeof makeSession>[3] = {}) {
  const session = await makeSession(db, businessId, amount, terms)
  const payment = await makePayment(db, session, { amount })
  const events = await settle(session.id)
  return { ...session, payment, events: events.map(({ type }) => type) }
}
const payoutsOf = (sessionId: string) => readOutflows(db, 'session_id = $1 order by id', [sessionId])
const move = (outflow: Outflow, ...changes: OutflowChange[]) =>
  worker.tx(async (tx) => {
    for (const change of changes) {
      const now = await lockOutflow(tx, outflow.id)
      if (now) await moveOutflow(settling, tx, now, change)
    }
  })
const view = (businessId: string, id: string) => getSession({ db, chains, checkoutUrl }, businessId, id)
const balance = (businessId: string, name: BusinessAccountName) => balanceOf(db, { name, businessId, asset })
const standing = async (id: string) => [
  await balance(id, 'available'),
  await balance(id, 'payouts_held'),
  await balance(id, 'receivable'),
]

test('a session that becomes paid makes one payout of what it got, with the money held by the entry that credits it', async () => {
  const { businessId, destinationId } = await open(wallet())
  const session = await makeSession(db, businessId, 1_000_001n)
  await makePayment(db, session, { amount: 1_000_001n })
  const { texts, noting } = notedStatements(worker)
  await settle(session.id, noting)
  await settle(session.id)
  const [payout, ...more] = await payoutsOf(session.id)
  expect(more).toEqual([])
  expect(texts.filter((text) => text.includes('insert into ledger_entries'))).toHaveLength(1)
  expect(payout).toMatchObject({
    kind: 'payout',
    businessId,
    automatic: true,
    status: 'pending',
    chain: 'ethereum',
    token: 'USDC',
    amount: 1_000_001n,
    fee: 10_001n,
    margin: 0n,
    rounding: 0n,
    destinationId,
    wallet: { chain: 'ethereum', token: 'USDC', amount: 990_000n, memo: null },
    bank: null,
    madeBy: 'worker',
  })
  expect(await standing(businessId)).toEqual([0n, 1_000_001n, 0n])
  const [row] = await db.query<{ proof: Buffer }>('select proof from outflows where id = $1', [payout?.id])
  expect(payout && row && proofs.worker.verifies(outflowMessage(payout), row.proof)).toBe(true)
  expect(await view(businessId, session.id)).not.toHaveProperty('payoutSkipped')
})

test('without autopayout, and for another token, no payout is made', async () => {
  const off = await open(null)
  const { id } = await paid(off.businessId, 100n)
  expect(await payoutsOf(id)).toEqual([])
  expect(await standing(off.businessId)).toEqual([100n, 0n, 0n])
  const other = await open(wallet())
  await db.query("update autopayout_settings set token = 'USDT' where business_id = $1", [other.businessId])
  expect(await payoutsOf((await paid(other.businessId, 100n)).id)).toEqual([])
})

test('a wallet on another chain gets the same value in its own decimals; what they cannot hold is rounding', async () => {
  const bsc = await open(wallet('bsc'), '0.5')
  const [toBsc] = await payoutsOf((await paid(bsc.businessId, 15_764_417n)).id)
  expect(toBsc).toMatchObject({
    fee: 78_823n,
    rounding: 0n,
    wallet: { chain: 'bsc', token: 'USDC', amount: 15_685_594n * 10n ** 12n },
  })
  const stellar = await open(wallet('stellar'), '0')
  const [toStellar] = await payoutsOf((await paid(stellar.businessId, 3n)).id)
  expect(toStellar).toMatchObject({
    fee: 0n,
    wallet: { chain: 'stellar', amount: 30n, memo: { type: 'id', value: '77' } },
  })
})

const terms = {
  localAmount: '25000',
  localCurrency: 'NGN',
  rate: '1610',
  rateSource: 'yellowcard',
  rateAt: new Date('2026-11-20T13:57:31.274Z'),
  fxMarginPercent: '1.5',
  fee: '250',
  feeCurrency: 'NGN',
}

test('a bank account gets what the session promised, at its rate; in another currency the price is found when it is sent', async () => {
  const { businessId } = await open(account)
  const [payout] = await payoutsOf((await paid(businessId, 15_764_417n, terms)).id)
  const { rate, rateAt, rateSource } = terms
  expect(payout).toMatchObject({
    wallet: null,
    margin: 236_466n,
    bank: {
      partner: 'yellowcard',
      networkId: 'bank',
      currency: 'NGN',
      price: { localAmount: 24_750n, localFee: '250', rate, rateAt, rateSource },
    },
  })
  // 250 NGN and 24,750 NGN at the mid rate, in the token.
  expect(payout?.fee).toBe(155_279n)
  expect(payout && payout.amount - payout.fee - payout.margin - payout.rounding).toBe(15_372_670n)
  const [other] = await payoutsOf(
    (await paid(businessId, 15_764_417n, { ...terms, localCurrency: 'KES', feeCurrency: 'KES' })).id,
  )
  const [unpriced] = await payoutsOf((await paid(businessId, 15_764_417n)).id)
  for (const each of [other, unpriced]) {
    expect(each?.bank).toEqual({ partner: 'yellowcard', networkId: 'bank', currency: 'NGN', price: null })
    expect([each?.fee, each?.margin, each?.rounding]).toEqual([0n, 0n, 0n])
  }
})

test("a session's rate holds for its amount, paid in time; what is more, late or accepted is priced when it is sent", async () => {
  const asked = 15_764_417n
  const { businessId } = await open(account)
  const pay = async (amount: bigint, at?: Date) => {
    const session = await makeSession(db, businessId, asked, terms)
    await makePayment(db, session, { amount, ...(at && { at }) })
    await settle(session.id)
    return session.id
  }
  const accepted = async (id: string) => {
    await resolveSession({ ...settling, db, chains }, businessId, id, 'accept', async () => {})
    return id
  }
  const late = new Date(Date.now() + 60 * 86_400_000)
  const unpriced = [await accepted(await pay(asked - 1n)), await accepted(await pay(asked, late))]
  // 60 days later, 10,000 times of its amount: at today's rate, never at the session's.
  unpriced.push(await accepted(await pay(asked * 10_000n, late)))
  for (const id of unpriced)
    expect(await payoutsOf(id)).toMatchObject([{ automatic: true, bank: { price: null } }])
  // Of an overpaid session, the requested amount is paid out.
  for (const amount of [asked, asked + 1n, asked * 10_000n]) {
    const [exact] = await payoutsOf(await pay(amount))
    expect([exact?.amount, exact?.bank?.price]).toMatchObject([asked, { rate: '1610', localAmount: 24_750n }])
  }
})

test("of a session's money that a debt leaves less of, the share of the session's price holds", async () => {
  const { businessId } = await open(account)
  const first = await makeSession(db, businessId, 100n)
  const payment = await makePayment(db, first, { amount: 100n })
  await settle(first.id)
  const [payout] = await payoutsOf(first.id)
  if (!payout) throw new Error('no payout')
  await move(payout, { status: 'processing', nextInMs: 0 })
  await takeAway(db, payment)
  await settle(first.id)
  const [less] = await payoutsOf((await paid(businessId, 15_764_417n, terms)).id)
  expect(less).toMatchObject({ amount: 15_764_317n, bank: { price: { rate: '1610', localFee: '250' } } })
})

test('where none can be made the session says why, and the money stays', async () => {
  const small = await open(wallet(), '60')
  const first = await paid(small.businessId, 1n)
  expect(first.events).toContain('session.paid')
  expect(await view(small.businessId, first.id)).toMatchObject({ status: 'paid', payoutSkipped: 'too_small' })
  expect(await standing(small.businessId)).toEqual([1n, 0n, 0n])
  const [event] = await db.query<{ skipped: string }>(
    "select data->>'payoutSkipped' as skipped from events where business_id = $1 and type = 'session.paid'",
    [small.businessId],
  )
  expect(event?.skipped).toBe('too_small')

  const bank = await open(account)
  const second = await paid(bank.businessId, 100n, terms)
  expect(await view(bank.businessId, second.id)).toMatchObject({ payoutSkipped: 'too_small' })

  const archived = await open(wallet())
  await db.query('update payout_destinations set archived_at = now() where id = $1', [archived.destinationId])
  const third = await paid(archived.businessId, 100n)
  expect(await view(archived.businessId, third.id)).toMatchObject({ payoutSkipped: 'destination_archived' })

  const noToken = await open(wallet())
  await db.query("update payout_destinations set chain = 'tron' where id = $1", [noToken.destinationId])
  const fourth = await paid(noToken.businessId, 100n)
  expect(await view(noToken.businessId, fourth.id)).toMatchObject({ payoutSkipped: 'token_unavailable' })
  for (const { id } of [first, second, third, fourth]) expect(await payoutsOf(id)).toEqual([])

  // A session that is paid again no longer shows it.
  await takeAway(db, first.payment)
  await settle(first.id)
  expect(await view(small.businessId, first.id)).not.toHaveProperty('payoutSkipped')
})

test('a fork that takes the payment of a payout that has not left cancels it; paid again makes another', async () => {
  const { businessId } = await open(wallet())
  const session = await paid(businessId, 100n)
  await takeAway(db, session.payment)
  await settle(session.id)
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([
    { status: 'cancelled', reason: 'session_reversed', nextAt: null },
  ])
  expect(await standing(businessId)).toEqual([0n, 0n, 0n])
  await confirm(db, session.payment)
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([
    { status: 'cancelled' },
    { status: 'pending', amount: 100n },
  ])
  expect(await standing(businessId)).toEqual([0n, 100n, 0n])
})

test('a payout is of the requested amount: the excess stays pending, and a fork that takes it stops nothing', async () => {
  const { businessId } = await open(wallet())
  const session = await makeSession(db, businessId, 100n)
  await makePayment(db, session, { amount: 100n })
  const excess = await makePayment(db, session, { amount: 50n })
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([{ status: 'pending', amount: 100n }])
  expect([await standing(businessId), await balance(businessId, 'pending')]).toEqual([[0n, 100n, 0n], 50n])
  await takeAway(db, excess)
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([{ status: 'pending', amount: 100n }])
  expect([await standing(businessId), await balance(businessId, 'pending')]).toEqual([[0n, 100n, 0n], 0n])
})

test('a payout of all that came, of a version before, is made smaller by a fork that takes the excess', async () => {
  const { businessId } = await open(null)
  const session = await makeSession(db, businessId, 100n)
  const payment = await makePayment(db, session, { amount: 150n })
  await settle(session.id)
  await db.query('update pos_sessions set amount_credited = 150 where id = $1', [session.id])
  await settle(session.id)
  const { destinationId } = await open(wallet())
  await db.query('update payout_destinations set business_id = $2 where id = $1', [destinationId, businessId])
  await db.tx(async (tx) => {
    const of = {
      kind: 'payout',
      businessId,
      sessionId: session.id,
      automatic: true,
      status: 'pending',
      chain: 'ethereum',
      token: 'USDC',
    } as const
    const to = { chain: 'ethereum', token: 'USDC', address: '0xaa', memo: null, amount: 150n }
    const { entries } = await storeOutflow(settling.maker, tx, {
      ...of,
      amount: 150n,
      destinationId,
      wallet: to,
      bank: null,
    })
    await post(tx, entries)
  })
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([{ status: 'pending', amount: 150n }])
  await takeAway(db, payment)
  await makePayment(db, session, { amount: 120n })
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([{ status: 'cancelled', reason: 'payment_reversed' }])
})

test('the fee of an overpaid session is the one that it showed', async () => {
  const { businessId } = await open(account)
  const terms = {
    localAmount: '7500',
    localCurrency: 'NGN',
    rate: '1600',
    rateSource: 'yellowcard',
    fee: '75',
    feeCurrency: 'NGN',
  }
  const session = await makeSession(db, businessId, 4_687_500n, terms)
  await makePayment(db, session, { amount: 9_000_000n })
  await settle(session.id)
  const [payout] = await payoutsOf(session.id)
  expect(payout).toMatchObject({ amount: 4_687_500n, bank: { price: { localFee: '75' } } })
  expect(await view(businessId, session.id)).toMatchObject({
    fee: '75',
    feeCurrency: 'NGN',
    held: { amount: '4.3125' },
  })
})

test('a fork while a payout may have left leaves a debt; the session that is paid again is paid out by it', async () => {
  const { businessId } = await open(wallet())
  const session = await paid(businessId, 100n)
  const [payout] = await payoutsOf(session.id)
  if (!payout) throw new Error('no payout')
  await move(payout, { status: 'processing', nextInMs: 0 })
  await takeAway(db, session.payment)
  expect((await settle(session.id)).map(({ type }) => type)).toContain('session.reversed')
  expect(await standing(businessId)).toEqual([0n, 100n, 100n])
  await move(payout, { status: 'completed', nextInMs: null })
  await settle(session.id)
  expect(await view(businessId, session.id)).toMatchObject({ status: 'pending', paidAt: null })
  expect(await standing(businessId)).toEqual([0n, 0n, 100n])
  await makePayment(db, session, { amount: 120n })
  const events = (await settle(session.id))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('session.'))
  expect(events).toEqual(['session.detected', 'session.paid', 'session.paid_out', 'session.overpaid'])
  expect(await view(businessId, session.id)).toMatchObject({ status: 'paid_out', paidAt: expect.any(String) })
  expect([await standing(businessId), await balance(businessId, 'pending')]).toEqual([[0n, 0n, 0n], 20n])
  expect(await payoutsOf(session.id)).toHaveLength(1)
})

test('a session that is paid again while its payout may have left keeps that one', async () => {
  const { businessId } = await open(wallet())
  const session = await paid(businessId, 100n)
  const [payout] = await payoutsOf(session.id)
  if (!payout) throw new Error('no payout')
  await move(payout, { status: 'processing', nextInMs: 0 })
  await takeAway(db, session.payment)
  await settle(session.id)
  await confirm(db, session.payment)
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([{ id: payout.id, status: 'processing' }])
  const again = await view(businessId, session.id)
  expect(again).toMatchObject({ status: 'paid' })
  expect(again).not.toHaveProperty('payoutSkipped')
  await move(payout, { status: 'completed', nextInMs: null })
  await settle(session.id)
  expect(await view(businessId, session.id)).toMatchObject({ status: 'paid_out' })
  expect(await standing(businessId)).toEqual([0n, 0n, 0n])
})

test('a completed payout makes its session paid out; the chain that takes the payout back leaves it so, and gives the money back', async () => {
  const { businessId } = await open(wallet(), '2')
  const session = await paid(businessId, 100n)
  const [payout] = await payoutsOf(session.id)
  if (!payout) throw new Error('no payout')
  const fees = () => balanceOf(db, platformAccount('fees', asset))
  const before = await fees()
  await move(payout, { status: 'processing', nextInMs: 0 }, { status: 'completed', nextInMs: null })
  const [job] = await db.query<{ reason: string }>(
    "select payload->>'reason' as reason from outbox where payload->>'sessionId' = $1",
    [session.id],
  )
  expect(job).toEqual({ reason: 'outflow' })
  expect((await settle(session.id)).map(({ type }) => type)).toEqual(['session.paid_out'])
  expect(await settle(session.id)).toEqual([])
  expect([await standing(businessId), (await fees()) - before]).toEqual([[0n, 0n, 0n], 2n])
  await move(payout, { status: 'failed', release: 'taken_back', reason: 'transaction_failed' })
  expect(await settle(session.id)).toEqual([])
  expect(await view(businessId, session.id)).toMatchObject({ status: 'paid_out' })
  expect([await standing(businessId), (await fees()) - before]).toEqual([[100n, 0n, 0n], 0n])
})

test('a debt is paid before a payout: it takes what is left, or there is no payout', async () => {
  const { businessId } = await open(wallet())
  const first = await paid(businessId, 100n)
  const [payout] = await payoutsOf(first.id)
  if (!payout) throw new Error('no payout')
  await move(payout, { status: 'processing', nextInMs: 0 }, { status: 'completed', nextInMs: null })
  await settle(first.id)
  await takeAway(db, first.payment)
  await settle(first.id)
  expect(await standing(businessId)).toEqual([0n, 0n, 100n])

  const second = await paid(businessId, 60n)
  expect(await view(businessId, second.id)).toMatchObject({
    status: 'paid',
    payoutSkipped: 'nothing_available',
  })
  expect(await standing(businessId)).toEqual([0n, 0n, 40n])
  const third = await paid(businessId, 70n)
  expect(await payoutsOf(third.id)).toMatchObject([{ amount: 30n }])
  expect(await standing(businessId)).toEqual([0n, 30n, 0n])

  await confirm(db, first.payment)
  await settle(first.id)
  expect(await standing(businessId)).toEqual([100n, 30n, 0n])
})

test('workers that settle at once make one payout each; a debt that comes up meanwhile is never overlooked', async () => {
  for (let i = 0; i < 8; i++) {
    const { businessId } = await open(wallet())
    const first = await paid(businessId, 100n)
    const [payout] = await payoutsOf(first.id)
    if (!payout) throw new Error('no payout')
    await move(payout, { status: 'processing', nextInMs: 0 })
    const session = await makeSession(db, businessId, 130n)
    await makePayment(db, session, { amount: 130n })
    await takeAway(db, first.payment)
    await Promise.all([settle(session.id), settle(first.id), settle(session.id)])
    const made = await payoutsOf(session.id)
    expect(made).toHaveLength(1)
    const [available, , owed] = await standing(businessId)
    // The debt came first, or it came after all was held.
    expect([made[0]?.amount, available, owed]).toEqual(
      made[0]?.amount === 30n ? [30n, 0n, 0n] : [130n, 0n, 100n],
    )
  }
})

test('refunds of the session are not paid out', async () => {
  const { businessId } = await open(null)
  const session = await makeSession(db, businessId, 100n)
  await makePayment(db, session, { amount: 60n })
  await db.query(
    "update pos_sessions set status = 'expired', expires_at = now() + interval '1 hour' where id = $1",
    [session.id],
  )
  await settle(session.id)
  const refundId = newId()
  await db.query(
    `insert into outflows (id, kind, business_id, session_id, status, chain, token, amount, to_chain, to_token, to_address, to_amount, made_by, created_at)
     values ($1, 'refund', $2, $3, 'pending', 'ethereum', 'USDC', 25, 'ethereum', 'USDC', '0xaa', 25, 'api', now())`,
    [refundId, businessId, session.id],
  )
  await db.query("insert into refunds (outflow_id, kind) values ($1, 'amount')", [refundId])
  await db.tx((tx) =>
    post(tx, [
      {
        kind: 'refund.reserved',
        businessId,
        cause: { kind: 'refund', id: refundId },
        step: 1,
        postings: [
          { account: { name: 'available', businessId, asset }, amount: 25n },
          { account: { name: 'payouts_held', businessId, asset }, amount: -25n },
        ],
      },
    ]),
  )
  // Other money of the business.
  await paid(businessId, 500n)
  const ctx = {
    db,
    appKey: settling.appKey,
    chains,
    banks,
    prover: provers.api,
    requestKey: async () => settling.appKey,
  }
  const { id } = await createDestination(ctx, businessId, wallet(), async () => {})
  await db.query(
    "insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)",
    [businessId, id],
  )
  await makePayment(db, session, { amount: 40n })
  await settle(session.id)
  expect(await payoutsOf(session.id)).toMatchObject([{ kind: 'refund' }, { kind: 'payout', amount: 75n }])
})

test('a session that is paid by less than its amount pays out all that came in its token', () => {
  const session = { chain: 'ethereum', token: 'USDC', amountExpected: '100', amountTolerated: '0' }
  const payment = (more: object) =>
    ({ chain: 'ethereum', token: 'USDC', amount: 40n, status: 'confirmed', ...more }) as never
  const payments = [
    payment({}),
    payment({ token: 'USDT' }),
    payment({ chain: 'bsc' }),
    payment({ status: 'seen' }),
    payment({ amount: 9n }),
  ]
  const payable = (amountSettled: bigint, refunded = 0n) =>
    payableOf(session, { amountSettled }, paidWith(session, { amountSettled }, payments), refunded)
  expect(payable(40n)).toBe(49n)
  expect(payable(40n, 9n)).toBe(40n)
  expect(payable(100n)).toBe(100n)
})

test('a session that is paid by more pays out its amount; a refund takes the excess first', () => {
  const session = { chain: 'ethereum', token: 'USDC', amountExpected: '100', amountTolerated: '0' }
  const payable = (refunded: bigint) => payableOf(session, { amountSettled: 250n }, 250n, refunded)
  expect([payable(0n), payable(150n), payable(151n), payable(250n)]).toEqual([100n, 100n, 99n, 0n])
})
