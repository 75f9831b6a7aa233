import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { profile } from '../../../test/support/bankPayouts.ts'
import { addBusiness, addMember, addPerson, type Person } from '../../../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { howMany } from '../../../test/support/full.ts'
import { provers } from '../../../test/support/intentKeys.ts'
import { insertBusiness } from '../../../test/support/madeBusiness.ts'
import { makeDestination } from '../../../test/support/madeDestination.ts'
import { giveBalance } from '../../../test/support/madePayout.ts'
import { notedStatements } from '../../../test/support/notedStatements.ts'
import { outflowEventsFor } from '../../../test/support/outflowEvents.ts'
import { appKey, urlAs } from '../../../test/support/template.ts'
import { writesOf } from '../../../test/support/writes.ts'
import { generateApiKey } from '../../apiKeys/form.ts'
import { storeKey } from '../../apiKeys/storeKey.ts'
import { decideApproval } from '../../approvals/decideApproval.ts'
import { systemActor } from '../../audit/recordAudit.ts'
import { configuredChains } from '../../chains/configuration.ts'
import { decidedDestination } from '../../destinations/decidedDestination.ts'
import { statusSql } from '../../destinations/destination.ts'
import { setLegalProfile } from '../../outflows/bank/legalProfile.ts'
import { stepOutflow } from '../../outflows/stepOutflow.ts'
import { type ModelDb, openModelDb } from '../../platform/database/modelDb.ts'
import { createOneByOne } from '../../platform/database/oneByOne.ts'
import type { ApiError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { Secret } from '../../platform/secrets.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { cancelPayout } from '../cancelPayout.ts'
import { createPayout, type PayoutCaller } from '../createPayout.ts'
import { markPayoutPaid } from '../markPayoutPaid.ts'
import type { PayoutRequest } from '../readPayout.ts'
import { approvePayoutBatch } from './approvePayoutBatch.ts'
import { checkPayoutBatch } from './checkPayoutBatch.ts'
import { createPayoutBatch } from './createPayoutBatch.ts'
import type { BatchContext } from './readBatch.ts'
import { findBatch } from './readBatches.ts'

// Batches beside the payouts that they consist of, with the rights that the api has in the database.

let database: TestDatabase
let db: ModelDb
let api: ModelDb
let worker: ModelDb
let ctx: BatchContext
let person: Person

const actor = systemActor('test')
const key = new Secret(appKey)
const million = 1_000_000n
const node = 'http://127.0.0.1:1'
const { chains } = configuredChains({ ETHEREUM_RPC_URLS: node, BSC_RPC_URLS: node, BASE_RPC_URLS: node })
const bank = { id: 'bank', name: 'A Bank', code: '1', countryCode: 'NG', currencies: ['NGN', 'UGX'] }
const rates = { NGN: '1612.345678', UGX: '3700.5' }
const mid = async (currency: string) => ({
  rate: rates[currency as keyof typeof rates],
  at: new Date('2026-11-28T12:00:00Z'),
  source: 'yellowcard',
})

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  // One connection: its messages are counted.
  api = openModelDb(urlAs('api', database.url), 1)
  worker = openModelDb(urlAs('worker', database.url), 2)
  person = await addPerson({ db })
  ctx = {
    db: api,
    chains,
    banks: async () => ({ banks: [bank], asOf: new Date() }),
    payoutRates: { mid, midOrNull: mid },
    paymentPartner: { name: 'yellowcard' },
    coinUsd: new Map(),
    appKey: key,
    prover: provers.api,
    oneByOne: createOneByOne(),
    requestKey: async () => key,
    accounts: async () => ({}),
  }
})
afterAll(async () => {
  await api?.close()
  await worker?.close()
  await database?.drop()
})

const callerOf = (businessId: string, by: Partial<PayoutCaller> = {}): PayoutCaller => ({
  businessId,
  actor,
  account: null,
  accountId: person.id,
  apiKeyId: null,
  keyRootId: null,
  saves: true,
  ...by,
})
const none = async () => {}
const usdc = { chain: 'ethereum', token: 'USDC' }
const hex = (text: string) => `0x${text.repeat(40).slice(0, 40)}`

/** A business with a balance in each of these. */
async function open(
  balances: Record<string, bigint> = { 'ethereum:USDC': 10_000n * million },
  percents = { fee: 1, margin: 2 },
): Promise<string> {
  const businessId = newId()
  await insertBusiness(db, businessId, 'A shop', percents)
  for (const [asset, amount] of Object.entries(balances)) {
    const [chain = '', token = ''] = asset.split(':')
    await giveBalance(db, businessId, { chain, token }, amount)
  }
  return businessId
}

const pay = (caller: PayoutCaller, payouts: readonly PayoutRequest[]) =>
  createPayoutBatch(ctx, caller, { payouts }, none)

/** `payouts.1.amount limit_exceeded`, of a batch that is refused. */
const refused = (made: Promise<unknown>): Promise<string[]> =>
  made.then(
    () => [],
    ({ fields = [] }: ApiError) =>
      fields.map(({ field, code }: { field: string; code?: string }) => `${field} ${code}`),
  )

/** What the ledger says that a business has, by account and asset. */
async function balancesOf(businessId: string): Promise<Record<string, bigint>> {
  const rows = await db.query<{ account: string; amount: string }>(
    `select a.name || ' ' || a.asset as account, (-sum(p.amount))::text as amount
     from ledger_accounts a join ledger_postings p on p.account_id = a.id where a.business_id = $1 group by 1 order by 1`,
    [businessId],
  )
  return Object.fromEntries(rows.map(({ account, amount }) => [account, BigInt(amount)]))
}

describe('a batch of random payouts', () => {
  const sources = [usdc, { chain: 'ethereum', token: 'USDT' }, { chain: 'bsc', token: 'USDC' }]
  const plenty = {
    'ethereum:USDC': 10n ** 14n,
    'ethereum:USDT': 10n ** 14n,
    'bsc:USDC': 10n ** 26n,
  }
  const destinations: readonly PayoutRequest['destination'][] = [
    { chain: 'ethereum', address: hex('a1') },
    { chain: 'bsc', address: hex('b2') },
    { chain: 'base', address: hex('c3') },
    { networkId: 'bank', accountNumber: '0123456789', accountName: 'Ada Stores', currency: 'NGN' },
    { networkId: 'bank', accountNumber: '9876543210', accountName: 'Ada Stores', currency: 'UGX' },
  ]
  const payout = fc.record({
    units: fc.bigInt(1n, 10n ** 13n),
    source: fc.nat(sources.length - 1),
    destination: fc.nat(destinations.length - 1),
    named: fc.boolean(),
  })
  const batch = fc.record({
    payouts: fc.array(payout, { minLength: 1, maxLength: 12 }),
    fee: fc.nat(500).map((each) => each / 100),
    margin: fc.nat(500).map((each) => each / 100),
  })
  type Random = { units: bigint; source: number; destination: number; named: boolean }

  /** The same requests for any business: 1 to 10 million cents, with what the token has of smaller parts. */
  const requestOf = ({ units, source, destination, named }: Random, at: number): PayoutRequest => {
    const of = sources[source] ?? usdc
    const to = destinations[destination] ?? {}
    // Base has no USDT of ours.
    const isElsewhere = 'chain' in to && to.chain === 'base' && of.token === 'USDT'
    const cents = 1n + units / 10_000_000n
    const smaller =
      of.chain === 'bsc' ? `${units % 10n ** 7n}`.padStart(16, '7') : `${units % 10_000n}`.padStart(4, '0')
    return {
      amount: `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}${smaller}`,
      source: of,
      destination: isElsewhere ? (destinations[0] ?? {}) : to,
      ...(named && { reference: `order-${at}`, metadata: { at } }),
    }
  }

  async function openFor({ fee, margin }: { fee: number; margin: number }): Promise<string> {
    const businessId = await open(plenty, { fee, margin })
    await setLegalProfile({ db, appKey: key }, actor, businessId, profile)
    return businessId
  }

  /** Everything of the payouts of a business that is not an id, a time or the batch, in their order. */
  async function storedOf(businessId: string) {
    const payouts = await db.query(
      `select o.kind, o.status, o.chain, o.token, o.amount::text, o.fee::text, o.margin::text, o.rounding::text, d.kind as to_kind, o.to_chain, o.to_token,
         o.to_address, o.to_amount::text, o.network_id, o.currency, o.local_amount::text, o.local_fee::text, o.rate::text, o.rate_at, o.reference, o.metadata,
         o.counted_at = o.created_at as counted, o.next_at is not null as due, o.needs_approval, o.asked_by_account, o.proof is not null as proven,
         (select json_agg(json_build_array(e.kind, e.step, a.name, a.business_id = o.business_id, a.asset, p.amount::text) order by a.name, a.asset)
          from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
          where e.reference = o.id::text and e.business_id = o.business_id) as postings
       from outflows o join payout_destinations d on d.id = o.destination_id where o.business_id = $1 order by o.id`,
      [businessId],
    )
    const events = await db.query<{ type: string; data: Record<string, unknown> }>(
      'select type, data from events where business_id = $1 order by sequence',
      [businessId],
    )
    return {
      payouts,
      events: events.map(
        ({ type, data: { id, batchId, destination, createdAt, updatedAt, pricedAt, ...data } }) => ({
          type,
          ...data,
          destination: { ...(destination as object), id: null },
        }),
      ),
      balances: await balancesOf(businessId),
      destinations: await db.query(
        'select kind, chain, address, network_id, currency from payout_destinations where business_id = $1 order by 1, 2, 3, 5',
        [businessId],
      ),
    }
  }

  test(
    'is the same payouts made one by one: postings, holds, prices, events and totals, to the last unit',
    () =>
      fc.assert(
        fc.asyncProperty(batch, async ({ payouts, ...terms }) => {
          const requests = payouts.map(requestOf)
          const [together, alone] = [await openFor(terms), await openFor(terms)]
          const made = await pay(callerOf(together), requests)
          const views = []
          for (const request of requests) views.push(await createPayout(ctx, callerOf(alone), request, none))
          const [ofBatch, ofSingles] = [await storedOf(together), await storedOf(alone)]
          expect(ofBatch).toEqual(ofSingles)
          expect(ofBatch.payouts).toHaveLength(requests.length)
          for (const { postings } of ofBatch.payouts as { postings: unknown[] }[])
            expect(postings.length).toBeGreaterThanOrEqual(2)

          // The totals, by hand, of the single payouts.
          const taken = summed(views.map(({ source, amount }) => [`${source.chain}:${source.token}`, amount]))
          expect(
            summed(made.totals.taken.map(({ chain, token, amount }) => [`${chain}:${token}`, amount])),
          ).toEqual(taken)
          const part = (name: 'amount' | 'fee') =>
            summed(made.totals.received.map((each) => [each.currency, each[name]]))
          expect(part('amount')).toEqual(
            summed(views.map(({ receiveCurrency, receiveAmount }) => [receiveCurrency, receiveAmount ?? ''])),
          )
          expect(part('fee')).toEqual(summed(views.map(({ feeCurrency, fee }) => [feeCurrency, fee ?? ''])))
          const counted = [...made.totals.taken, ...made.totals.received]
          expect(counted.reduce((sum, each) => sum + each.payouts, 0)).toBe(2 * requests.length)
          // What is held is what was taken.
          const held = Object.entries(ofBatch.balances).filter(([account]) =>
            account.startsWith('payouts_held'),
          )
          for (const [account, units] of held) {
            const asset = account.split(' ')[1] ?? ''
            const decimals = asset.startsWith('bsc') ? 18n : 6n
            expect(units * 10n ** (places - decimals)).toBe(taken.get(asset))
          }
          expect(held).toHaveLength(taken.size)
        }),
        { numRuns: howMany(12, 150) },
      ),
    120_000,
  )
})

const places = 30n
/** Decimal texts added by their key, in units of the 30th decimal place; shares nothing with `amount.ts`. */
function summed(parts: readonly (readonly [string, string])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const [name, text] of parts) {
    const [whole = '', rest = ''] = text.split('.')
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(`${whole}${rest.padEnd(Number(places), '0')}`))
  }
  return sums
}

describe('creating 1,000 entries', () => {
  const measured = async (businessId: string, entries: readonly PayoutRequest[]) => {
    const { texts, noting } = notedStatements(api)
    const messages = await writesOf(() =>
      createPayoutBatch({ ...ctx, db: noting }, callerOf(businessId), { payouts: entries }, none),
    )
    return { messages, statements: texts.length }
  }

  test('takes as many statements and messages as creating 100: to saved destinations', async () => {
    const businessId = await open()
    const wallets = await Promise.all(Array.from({ length: 25 }, () => makeDestination(db, businessId)))
    const entries = (length: number) =>
      Array.from({ length }, (_, at) => ({
        amount: '1',
        source: usdc,
        destination: { id: wallets[at % 25] ?? '' },
        reference: newId(),
      }))
    // Accounts are opened, and statements prepared.
    await pay(callerOf(businessId), entries(1))
    const few = await measured(businessId, entries(100))
    const many = await measured(businessId, entries(1000))
    expect(many.statements).toBe(few.statements)
    expect(few.statements).toBeLessThan(40)
    expect(many.messages).toBeLessThanOrEqual(few.messages + 2)
  }, 60_000)

  test('and to new destinations', async () => {
    const businessId = await open()
    const entries = (length: number) =>
      Array.from({ length }, () => ({
        amount: '1',
        source: usdc,
        destination: { chain: 'ethereum', address: `0x${newId().replaceAll('-', '')}000000ab` },
      }))
    await pay(callerOf(businessId), entries(1))
    const few = await measured(businessId, entries(100))
    const many = await measured(businessId, entries(1000))
    expect(many.statements).toBe(few.statements)
    expect(few.statements).toBeLessThan(60)
    expect(many.messages).toBeLessThanOrEqual(few.messages + 2)
    const audited = await db.query(
      `select count(*)::int as n from audit_log l join payout_destinations d on d.id::text = l.target
       where l.business_id = $1 and action = 'destination.created' and before is null and after->>'chain' = 'ethereum'`,
      [businessId],
    )
    expect(audited).toEqual([{ n: 1101 }])
  }, 60_000)
})

describe('limits see the total once', () => {
  const limit = (businessId: string, limits: Record<string, string>) =>
    db.query('insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2)', [
      businessId,
      JSON.stringify(
        Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, { value, next: null }])),
      ),
    ])
  const entriesTo = (wallet: string) => (amounts: string[]) =>
    amounts.map((amount) => ({ amount, source: usdc, destination: { id: wallet } }))

  async function limitedKey(businessId: string, limits: Record<string, string>) {
    const made = await storeKey(
      { db },
      {
        businessId,
        name: 'till',
        scope: 'write',
        permissions: ['payouts:create'],
        key: generateApiKey('test'),
      },
    )
    const amounts = [
      { ...usdc, token: 'usdc', perTransfer: null, perDay: null, approvalAbove: null, ...limits },
    ]
    await db.query(
      "insert into send_limits (subject, subject_id, business_id, amounts) values ('key', $1, $2, $3)",
      [made.rootId, businessId, JSON.stringify(amounts)],
    )
    return callerOf(businessId, { accountId: null, apiKeyId: made.id, keyRootId: made.rootId })
  }

  test('of a business in a day: up to it exactly, beside what it has paid, and not one unit more', async () => {
    const businessId = await open()
    await limit(businessId, { maxPerDay: '100' })
    const to = entriesTo(await makeDestination(db, businessId))
    const caller = callerOf(businessId)
    expect(await refused(pay(caller, to(['25', '25', '25', '25.000001'])))).toEqual([
      'payouts limit_exceeded',
    ])
    await pay(caller, to(['10', '10', '20']))
    expect(await refused(pay(caller, to(['30', '30.000001'])))).toEqual(['payouts limit_exceeded'])
    await pay(caller, to(['30', '29.999998', '0.000002']))
    expect(await refused(pay(caller, to(['0.000002'])))).toEqual(['payouts limit_exceeded'])
  })

  test('of a key in a day: the entry that goes beyond it is named', async () => {
    const businessId = await open()
    const to = entriesTo(await makeDestination(db, businessId))
    const caller = await limitedKey(businessId, { perDay: '100' })
    expect(await refused(pay(caller, to(['25', '25', '25', '25.000001'])))).toEqual([
      'payouts.3.amount limit_exceeded',
    ])
    await pay(caller, to(['10', '10', '20']))
    expect(await refused(pay(caller, to(['30', '30.000001'])))).toEqual(['payouts.1.amount limit_exceeded'])
    await pay(caller, to(['30', '29.999998', '0.000002']))
    expect(await refused(pay(caller, to(['0.000002'])))).toEqual(['payouts.0.amount limit_exceeded'])
  })

  test.each([
    ['a business', (id: string) => limit(id, { approvalAbove: '50' }).then(() => callerOf(id))],
    ['a key', (id: string) => limitedKey(id, { approvalAbove: '50' })],
  ] as const)('of %s for an approval: none at it, one above it', async (_, limited) => {
    const paying = async () => {
      const businessId = await open()
      return { to: entriesTo(await makeDestination(db, businessId)), caller: await limited(businessId) }
    }
    const [one, other] = [await paying(), await paying()]
    const above = { status: 'awaiting_approval', counts: { awaiting_approval: 2 } }
    expect((await pay(one.caller, one.to(['20', '20', '10']))).status).toBe('processing')
    expect(await pay(one.caller, one.to(['0.000002', '0.000002']))).toMatchObject(above)
    expect(await pay(other.caller, other.to(['25', '25.000001']))).toMatchObject(above)
  })
})

describe('an account has one currency', () => {
  const to = (currency: string, accountName = 'Ada Stores') => ({
    amount: '10',
    source: usdc,
    destination: { networkId: 'bank', accountNumber: '0123456789', accountName, currency },
  })
  async function openForBanks(): Promise<PayoutCaller> {
    const businessId = await open()
    await setLegalProfile({ db, appKey: key }, actor, businessId, profile)
    return callerOf(businessId)
  }

  test('what names a saved account with another one is refused, and not paid in the saved one', async () => {
    const caller = await openForBanks()
    await createPayout(ctx, caller, to('NGN'), none)
    expect(await refused(createPayout(ctx, caller, to('UGX'), none))).toEqual([
      'destination.currency not_possible',
    ])
    expect(await refused(pay(caller, [to('NGN'), to('UGX')]))).toEqual([
      'payouts.1.destination.currency not_possible',
    ])
    expect((await pay(caller, [to('NGN', 'Ada Stores Ltd')])).totals.received).toMatchObject([
      { currency: 'NGN' },
    ])
  })

  test('entries of a batch with the same new account must agree about currency and name', async () => {
    const caller = await openForBanks()
    expect(await refused(pay(caller, [to('NGN'), to('UGX'), to('NGN', 'Bea Stores')]))).toEqual([
      'payouts.1.destination.currency not_possible',
      'payouts.2.destination.accountName not_possible',
    ])
    expect((await pay(caller, [to('NGN'), to('NGN')])).destinations).toBe(1)
  })

  test('also where another request saves the account after it was read', async () => {
    const [one, other] = [await openForBanks(), await openForBanks()]
    /** The account is saved while the prices are asked for. */
    const meanwhile = (caller: PayoutCaller): BatchContext => {
      const late = async (currency: string) => {
        await createPayout(ctx, caller, to('NGN'), none)
        return mid(currency)
      }
      return { ...ctx, payoutRates: { mid: late, midOrNull: late } }
    }
    expect(await refused(createPayout(meanwhile(one), one, to('UGX'), none))).toEqual([
      'destination.currency not_possible',
    ])
    const batch = createPayoutBatch(meanwhile(other), other, { payouts: [to('UGX')] }, none)
    expect(await refused(batch)).toEqual(['payouts.0.destination.currency not_possible'])
    for (const { businessId } of [one, other])
      expect(await db.query('select currency from outflows where business_id = $1', [businessId])).toEqual([
        { currency: 'NGN' },
      ])
  })
})

test('the reference of a payout that was marked as paid elsewhere is not paid again; a cancelled one is', async () => {
  const businessId = await open()
  const wallet = await makeDestination(db, businessId)
  const caller = callerOf(businessId)
  const to = (reference: string) => ({ amount: '1', source: usdc, destination: { id: wallet }, reference })
  const [paid, cancelled] = [
    await createPayout(ctx, caller, to('paid'), none),
    await createPayout(ctx, caller, to('cancelled'), none),
  ]
  const ending = { db: api, appKey: key, outflowEvents: outflowEventsFor(key) }
  await markPayoutPaid(ending, businessId, paid.id, { revision: 1, proof: 'Receipt 1' }, none)
  await cancelPayout(ending, businessId, cancelled.id, none)
  const payouts = [to('cancelled'), to('paid')]
  expect(await refused(checkPayoutBatch(ctx, caller, { payouts }))).toEqual(['payouts.1.reference duplicate'])
  expect(await refused(pay(caller, payouts))).toEqual(['payouts.1.reference duplicate'])
  expect((await pay(caller, [to('cancelled')])).status).toBe('processing')
})

/** A business with two owners, the second of whom approves what is above 50 in all, and every new destination. */
async function openForTwo() {
  const [first, second] = [await addPerson({ db }), await addPerson({ db })]
  const businessId = await addBusiness({ db }, first)
  await addMember({ db }, businessId, 'owner', second)
  await giveBalance(db, businessId, usdc, 100n * million)
  await db.query('insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2)', [
    businessId,
    JSON.stringify({ approvalAbove: { value: '50', next: null } }),
  ])
  return { businessId, first, second, caller: callerOf(businessId, { accountId: first.id }) }
}

describe('the approval of a batch', () => {
  const cancelling = { appKey: key, outflowEvents: outflowEventsFor(key) }
  const wanted = (address: string) => ({
    amount: '1',
    source: usdc,
    destination: { chain: 'ethereum', address },
  })
  const stateOf = (businessId: string, address: string) =>
    db.query(
      `select ${statusSql} as status, a.id as approval, a.decision, a.proof is not null as proven
       from payout_destinations d join approvals a on a.subject_id = d.id and a.subject = 'destination'
       where d.business_id = $1 and d.address = $2`,
      [businessId, address],
    )

  test('approves no destination of a payout that was cancelled before; it is decided alone then', async () => {
    const { businessId, second, caller } = await openForTwo()
    const [kept, dropped] = [hex('e5'), hex('f6')]
    const batch = await pay(caller, [
      { ...wanted(kept), reference: 'kept' },
      { ...wanted(dropped), reference: 'dropped' },
      wanted(kept),
    ])
    expect(batch).toMatchObject({ status: 'awaiting_approval', destinations: 2 })
    const [cancelled] = await db.query<{ id: string }>(
      "select id from outflows where batch_id = $1 and reference = 'dropped'",
      [batch.id],
    )
    await cancelPayout({ db: api, ...cancelling }, businessId, cancelled?.id ?? '', none)
    const { revision, destinations } = await findBatch(db, businessId, batch.id)
    expect(destinations).toBe(1)
    const [waiting] = await stateOf(businessId, dropped)
    const decide = () =>
      decideApproval({ db: api, prover: provers.api, decided: { destination: decidedDestination } }, actor, {
        businessId,
        id: String(waiting?.approval),
        accountId: second.id,
        decision: 'approved',
      })
    await expect(decide()).rejects.toMatchObject({ status: 409, error: 'approval_of_batch' })
    const approved = { businessId, id: batch.id, accountId: second.id, revision }
    await approvePayoutBatch(ctx, actor, approved, none)
    expect(await stateOf(businessId, kept)).toMatchObject([
      { status: 'cooling_off', decision: 'approved', proven: true },
    ])
    expect(await stateOf(businessId, dropped)).toMatchObject([
      { status: 'awaiting_approval', decision: null, proven: false },
    ])
    await decide()
    expect(await stateOf(businessId, dropped)).toMatchObject([{ status: 'cooling_off', proven: true }])
  })
})

test('a batch whose approval expires pays nothing: every hold is released; its file can be sent again', async () => {
  const { businessId, second, caller } = await openForTwo()
  const before = await balancesOf(businessId)
  const wallet = await makeDestination(db, businessId)
  const entries = [
    { amount: '30', source: usdc, destination: { id: wallet } },
    { amount: '25.5', source: usdc, destination: { id: wallet } },
    { amount: '0.25', source: usdc, destination: { chain: 'ethereum', address: hex('d4') } },
  ]
  const batch = await pay(caller, entries)
  expect(batch.status).toBe('awaiting_approval')
  expect((await balancesOf(businessId))['payouts_held ethereum:USDC']).toBe(55_750_000n)
  const ids = (
    await db.query<{ id: string }>('select id from outflows where batch_id = $1 order by id', [batch.id])
  ).map(({ id }) => id)
  const outflows = {
    ...{
      db: worker,
      log: createLog('test', 'silent'),
      chains: [],
      purposes: [],
      environment: 'test' as const,
      appKey: key,
    },
    ...{
      outflowEvents: outflowEventsFor(key),
      partner: null,
      screening: null,
      coinUsd: new Map(),
      pollMs: null,
    },
    maker: { madeBy: 'worker', prover: provers.worker } as const,
    observe: () => {},
    accountsOf: async (chain: string) => {
      throw new Error(`${chain} is not read here`)
    },
  }
  const step = async () => {
    for (const id of ids) await stepOutflow(outflows, id)
    return findBatch(db, businessId, batch.id)
  }
  expect((await step()).counts.awaiting_approval).toBe(3)

  // Its time passes; a payout is due at the end of its approval.
  await db.query('update approvals set expires_at = now() where batch_id = $1', [batch.id])
  await db.query('update outflows set next_at = now() where batch_id = $1', [batch.id])
  await expect(
    approvePayoutBatch(ctx, actor, { businessId, id: batch.id, accountId: second.id, revision: 1 }, none),
  ).rejects.toMatchObject({ status: 409, error: 'approval_expired' })
  expect(await step()).toMatchObject({ status: 'failed', counts: { failed: 3, awaiting_approval: 0 } })
  expect(await balancesOf(businessId)).toEqual({ ...before, 'payouts_held ethereum:USDC': 0n })
  const failed = await db.query<{ reason: string }>('select reason from outflows where batch_id = $1', [
    batch.id,
  ])
  expect(failed.map(({ reason }) => reason)).toEqual(Array(3).fill('approval_expired'))
  const events = await db.query(
    "select 1 from events where business_id = $1 and type = 'payout.failed' and data->>'batchId' = $2",
    [businessId, batch.id],
  )
  expect(events).toHaveLength(3)
  // Again, with nothing left to release.
  await step()
  expect(await balancesOf(businessId)).toEqual({ ...before, 'payouts_held ethereum:USDC': 0n })

  // The same file again: its new destination is saved again, and is approved with the second batch.
  const again = await checkPayoutBatch(ctx, caller, { payouts: entries })
  expect(again).toMatchObject({ destinations: 2, newDestinations: 1, needsApproval: true })
  const { id, revision } = await pay(caller, entries)
  await approvePayoutBatch(ctx, actor, { businessId, id, accountId: second.id, revision }, none)
  const saved = await db.query(
    `select ${statusSql} as status, (select a.batch_id from approvals a where a.subject_id = d.id) as batch,
       (select count(*)::int from outflows o where o.destination_id = d.id and o.status = 'pending') as pending
     from payout_destinations d where d.business_id = $1 and d.address = $2 order by d.id`,
    [businessId, hex('d4')],
  )
  expect(saved).toEqual([
    { status: 'archived', batch: batch.id, pending: 0 },
    { status: 'cooling_off', batch: id, pending: 1 },
  ])
  // Nor is an address whose time is over found by a payout alone.
  const one = { amount: '1', source: usdc, destination: { chain: 'ethereum', address: hex('e7') } }
  const stale = await createPayout(ctx, caller, one, none)
  await db.query('update approvals set expires_at = now() where subject_id = $1', [stale.destination.id])
  expect((await createPayout(ctx, caller, one, none)).destination.id).not.toBe(stale.destination.id)
})
