import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { balanceOf } from '../../src/ledger/balance.ts'
import { dueOutflows } from '../../src/outflows/dueOutflows.ts'
import { nextStatuses } from '../../src/outflows/nextStatuses.ts'
import type { OutflowStatus } from '../../src/outflows/outflow.ts'
import { stepOutflow } from '../../src/outflows/stepOutflow.ts'
import { partnerPaymentRoutes } from '../../src/partnerPayments/routes.ts'
import { newId } from '../../src/platform/ids.ts'
import { type WebhookEvent, webhookRequest } from '../partners/yellowcard/webhooks.ts'
import { type BankPayouts, openBankPayouts, usdc } from '../support/bankPayouts.ts'
import { howMany } from '../support/full.ts'
import { credentials } from '../support/yellowCardAccount.ts'

/**
 * The partner misbehaves in every way that its stand-in knows, while payouts are made: each is paid once and
 * kept, and no state goes back.
 */

const count = howMany(60, 300)
const amount = 10_000_000n
const atOnce = 12

let bank: BankPayouts
let businessId: string
const ids: string[] = []
const webhookStatuses = { genuine: new Set<number>(), forged: new Set<number>() }

beforeAll(async () => {
  // Stand-in and client share one process, which may be slow: a question that times out each time would never
  // be answered.
  bank = await openBankPayouts({}, { timeoutMs: 600, fundsMs: 500 })
  businessId = await bank.business(amount * BigInt(count))
  // Every state that a row ever had.
  await bank.db.query(`
    create table seen_states (id uuid, status text, partner_status text, at bigint generated always as identity);
    create function see_state() returns trigger language plpgsql as $$
      begin insert into seen_states (id, status, partner_status) values (new.id, new.status, new.partner_status); return null; end $$;
    create trigger see_state after insert or update on outflows for each row execute function see_state()`)
  bank.standIn.webhooks.hold = true
  for (let i = 0; i < count; i++)
    ids.push(
      (await bank.make(businessId, { amount, accountNumber: i % 10 === 9 ? '0000000000' : '1111111111' })).id,
    )
})
afterAll(() => bank?.close())

type Lie = (payment: Record<string, unknown>) => Record<string, unknown>
const lies: Lie[] = [
  (payment) => ({ ...payment, sequenceId: newId() }),
  (payment) => ({ ...payment, convertedAmount: 1, status: 'complete' }),
  (payment) => ({ ...payment, currency: 'KES', status: 'failed' }),
  (payment) => ({ ...payment, status: 'unheard_of' }),
  ({ sequenceId, ...payment }) => ({ ...payment, status: 'complete' }),
  ({ convertedAmount, ...payment }) => ({ ...payment, status: 'failed' }),
]

/** Each lasts for a round of the rows that are due then. */
const ways: readonly (() => void)[] = [
  () => {},
  ...(['answer', 'request', 'outcome', 'patience'] as const).map((lose) => () => {
    losing = lose
  }),
  () => Object.assign(bank.standIn, { throttled: 5, retryAfter: 0 }),
  ...(['down', 'garbage', 'slow', 'astray', 'cut', 'flood'] as const).map(
    (mode) => () => Object.assign(bank.standIn, { mode }),
  ),
  ...lies.map((lie) => () => Object.assign(bank.standIn, { lie })),
]

/** What every POST of the round loses: the stand-in loses one at a time. */
let losing: 'answer' | 'request' | 'outcome' | 'patience' | null = null

async function round(rows: number): Promise<void> {
  await bank.db.query(
    `update outflows set next_at = now() where id in (select id from outflows where next_at is not null order by random() limit $1)`,
    [rows],
  )
  const due = (await dueOutflows(bank.db)).values()
  const work = async () => {
    for (const id of due) {
      bank.standIn.lose = losing
      await stepOutflow(bank.ctx, id)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const routes = () =>
  partnerPaymentRoutes({
    db: bank.db,
    log: bank.ctx.log,
    paymentPartner: bank.ctx.partner?.payments ?? null,
    collectionPartner: null,
  })

async function deliver(event: WebhookEvent, secretKey = credentials.secretKey): Promise<number> {
  const { body, headers } = webhookRequest(event, { secretKey })
  const receive = routes().receiveYellowCardWebhook as (given: object) => Promise<{ status: number }>
  return receive({ headers, rawBody: () => Buffer.from(body) }).then(
    ({ status }) => status,
    (error: { status?: number }) => error.status ?? 0,
  )
}

/** Late, twice, out of order, and some forged ones with other content. */
async function webhooks(): Promise<void> {
  const { made } = bank.standIn.webhooks
  const some = made.filter((_, i) => i % 5 === made.length % 5).reverse()
  for (const event of some.slice(0, 10)) {
    webhookStatuses.genuine.add(await deliver(event)).add(await deliver(event))
    const before = await stateOf(event.sequenceId)
    webhookStatuses.forged.add(
      await deliver({ ...event, status: 'complete', event: 'PAYMENT.COMPLETE' }, 'another-secret'),
    )
    expect(await stateOf(event.sequenceId)).toEqual(before)
  }
}

const stateOf = (id: string) =>
  bank.db.query('select status, partner_status, next_at, revision from outflows where id = $1', [id])
const countOf = async (where: string) =>
  (await bank.db.query<{ n: number }>(`select count(*)::int as n from outflows where ${where}`))[0]?.n ?? 0

test(
  `${count} payouts end, though the partner misbehaves in ${ways.length} ways`,
  async () => {
    for (let i = 0; i < howMany(2, 6); i++)
      for (const misbehave of ways) {
        misbehave()
        await round(Math.ceil(count / 10))
        Object.assign(bank.standIn, { mode: 'ok', throttled: 0, lose: null, lie: null })
        losing = null
        await webhooks()
        bank.standIn.move(700)
      }
    for (let i = 0; i < 40 && (await countOf("status not in ('completed', 'failed')")) > 0; i++) {
      // What the partner does not have is sent again two minutes after it was lost.
      await bank.age(121_000)
      bank.standIn.move(10_000)
      await bank.stepAll()
    }
    expect(await countOf("status not in ('completed', 'failed')")).toBe(0)
  },
  howMany(180_000, 1_200_000),
)

test('the partner has made each payment once, or not at all where it failed, and no other', async () => {
  const bySequence = Map.groupBy(bank.standIn.payments.all(), ({ sequenceId }) => sequenceId)
  expect([...bySequence.values()].filter((payments) => payments.length > 1)).toEqual([])
  expect([...bySequence.keys()].filter((id) => !ids.includes(id))).toEqual([])
  const rows = await Promise.all(ids.map((id) => bank.read(id)))
  for (const { id, status, bank: target } of rows) {
    const [payment] = bySequence.get(id) ?? []
    expect([id, status === 'completed']).toEqual([id, payment?.status === 'complete'])
    if (payment) expect(payment.local).toBe((target?.price?.localAmount ?? 0n) * 100n)
    if (status === 'failed') expect([undefined, 'failed']).toContain(payment?.status)
  }
  expect(rows.filter(({ status }) => status === 'completed').length).toBe(count - Math.floor(count / 10))
})

test('no state went back, and no state followed an end', async () => {
  const seen = await bank.db.query<{ id: string; status: OutflowStatus; partnerStatus: string | null }>(
    'select id, status, partner_status as "partnerStatus" from seen_states order by at',
  )
  const ranks = ['created', 'process', 'pending_liquidity', 'processing', 'pending', 'complete']
  const back: string[] = []
  for (const [id, states] of Map.groupBy(seen, (each) => each.id))
    for (const [i, { status, partnerStatus }] of states.entries()) {
      const before = states[i - 1]
      if (!before) continue
      if (status !== before.status && !nextStatuses[before.status].includes(status))
        back.push(`${id}: ${before.status} > ${status}`)
      const [was, is] = [ranks.indexOf(before.partnerStatus ?? ''), ranks.indexOf(partnerStatus ?? '')]
      if (was >= 0 && is >= 0 && is < was) back.push(`${id}: ${before.partnerStatus} > ${partnerStatus}`)
      if (status === 'pending' && before.status !== 'pending' && before.partnerStatus !== null)
        back.push(`${id}: pending again after ${before.partnerStatus}`)
    }
  expect(back).toEqual([])
  // The ways were met: some payouts were unknown, and some pending again.
  expect(new Set(seen.map(({ status }) => status))).toEqual(
    new Set(['pending', 'processing', 'unknown', 'completed', 'failed']),
  )
})

test('the books have what the partner took, and nothing is held', async () => {
  const taken = bank.standIn.payments.all().filter(({ status }) => status === 'complete')
  const spent = taken.reduce((sum, { usd, feeUsd }) => sum + (usd + feeUsd) * 10_000n, 0n)
  expect(await balanceOf(bank.db, { name: 'partner:yellowcard', businessId: null, asset: 'USD' })).toBe(
    -spent,
  )
  expect(await balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })).toBe(0n)
  expect(await balanceOf(bank.db, { name: 'available', businessId, asset: usdc })).toBe(
    amount * BigInt(count - taken.length),
  )
})

test('forged webhooks were refused with 401, genuine ones taken however late, often and out of order', () => {
  expect([...webhookStatuses.forged]).toEqual([401])
  expect([...webhookStatuses.genuine]).toEqual([200])
})
