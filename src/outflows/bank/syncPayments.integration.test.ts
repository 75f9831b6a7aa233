import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts, usdc } from '../../../test/support/bankPayouts.ts'
import { roundAge } from '../../../test/support/roundAge.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import type { BankContext } from '../context.ts'
import { createOutflowMetrics } from '../outflowMetrics.ts'
import { syncPaymentsWhenDue } from './syncPayments.ts'

// Rounds of the partner's list of payments: payouts under way are followed by it, and single questions are
// for what it does not show.

let bank: BankPayouts
let businessId: string
beforeAll(async () => {
  bank = await openBankPayouts()
})
afterAll(() => bank?.close())
beforeEach(async () => {
  businessId = await bank.business(100_000_000n)
  await bank.db.query(
    "update outflows set status = 'failed', next_at = null where status in ('processing', 'unknown')",
  )
  await bank.db.query('truncate payout_syncs')
  bank.alarms.length = 0
})
afterEach(() => {
  Object.assign(bank.standIn, { mode: 'ok', lose: null, lie: null })
})

const ofSequence = (id: string) => {
  const payment = bank.standIn.payments.all().find(({ sequenceId }) => sequenceId === id)
  if (!payment) throw new Error(`the partner has no ${id}`)
  return payment
}
/** By default with the usual time between questions. */
const context = (more: Partial<BankContext> = {}) => ({
  ...(bank.ctx as BankContext),
  pollMs: null,
  turn: async () => {},
  ...more,
})
const round = async (more?: Partial<BankContext>) => {
  await bank.db.query('update payout_syncs set next_at = now()')
  bank.standIn.asked.length = 0
  return syncPaymentsWhenDue(context(more))
}
const submitted = async (lose: 'answer' | 'request' | null = null) => {
  const { id } = await bank.make(businessId)
  bank.standIn.lose = lose
  await bank.stepAll()
  return id
}
const dueInMs = async (id: string) =>
  (
    await bank.db.query<{ ms: number }>(
      'select (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as ms from outflows where id = $1',
      [id],
    )
  )[0]?.ms ?? Number.NaN

test('by the list alone payouts are completed and fail, and are booked; nothing is queried alone', async () => {
  const paid = await submitted()
  const { id: refused } = await bank.make(businessId, { accountNumber: '0000000000' })
  await bank.stepAll()
  bank.standIn.move(60_000)
  expect(await round()).toMatchObject({ pages: 1, shown: 2, changed: 2, missing: 0 })
  expect(bank.standIn.asked).toEqual(['/business/sends'])
  const { usd, feeUsd } = ofSequence(paid)
  expect(await bank.read(paid)).toMatchObject({
    status: 'completed',
    partnerStatus: 'complete',
    partnerCost: (usd + feeUsd) * 10_000n,
    nextAt: null,
  })
  expect(await bank.read(refused)).toMatchObject({ status: 'failed', reason: 'bank_refused' })
  expect(await balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })).toBe(0n)
  // A bank may still return the one that was paid.
  expect(await round()).toMatchObject({ pages: 1, shown: 0, returned: 0 })
  await bank.db.query(
    "update outflows set completed_at = now() - interval '31 days' where status = 'completed'",
  )
  expect(await round()).toBeNull()
  expect(bank.standIn.asked).toEqual([])
})

test('one that has not changed stays as it is, with its claim', async () => {
  const id = await submitted()
  await round()
  const before = await bank.read(id)
  expect(await round()).toMatchObject({ shown: 1, changed: 0, missing: 0 })
  expect(await bank.read(id)).toEqual(before)
})

test('a payout whose answer was lost is found in the list', async () => {
  const id = await submitted('answer')
  expect(await bank.read(id)).toMatchObject({ partnerPaymentId: null })
  await round()
  expect(await bank.read(id)).toMatchObject({ status: 'processing', partnerPaymentId: ofSequence(id).id })
})

test('what the list should show and does not is queried alone', async () => {
  const [shown, hidden] = [await submitted(), await submitted()]
  bank.standIn.move(2000)
  await round()
  bank.standIn.move(60_000)
  const id = ofSequence(hidden).id
  await bank.db.query("update outflows set next_at = now() + interval '1 hour' where id = $1", [hidden])
  bank.standIn.lie = (given) => (given.id === id ? { ...given, id: 'another', sequenceId: undefined } : given)
  expect(await round()).toMatchObject({ shown: 1, changed: 1, missing: 1 })
  expect([(await bank.read(shown)).status, (await bank.read(hidden)).status]).toEqual([
    'completed',
    'processing',
  ])
  expect(await dueInMs(hidden)).toBeLessThan(4 * 60_000)
  bank.standIn.lie = null
  await bank.stepAll()
  expect((await bank.read(hidden)).status).toBe('completed')
})

test('an end that does not name all it is about is not trusted: it is queried by our own id', async () => {
  const id = await submitted()
  bank.standIn.move(60_000)
  bank.standIn.lie = ({ sequenceId: _, ...rest }) => rest
  expect(await round()).toMatchObject({ shown: 1, missing: 1 })
  expect([(await bank.read(id)).status, bank.alarms]).toEqual(['processing', []])
  bank.standIn.lie = null
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('completed')
})

test('one that cannot be stored delays no other', async () => {
  const [good, bad] = [await submitted(), await submitted()]
  bank.standIn.move(60_000)
  const id = ofSequence(bad).id
  bank.standIn.lie = (given) => (given.id === id ? { ...given, status: 'mystery' } : given)
  const { partner } = bank.ctx as BankContext
  const alarm = () => {
    throw new Error('it cannot be stored')
  }
  expect(await round({ partner: { ...partner, alarm } })).toMatchObject({ shown: 2, missing: 1 })
  expect([(await bank.read(good)).status, (await bank.read(bad)).status]).toEqual(['completed', 'processing'])
})

test('a worker that queries at the same moment: the payout is booked once', async () => {
  const ids = [await submitted(), await submitted(), await submitted()]
  bank.standIn.move(60_000)
  await Promise.all([round(), bank.stepAll(), syncPaymentsWhenDue(context())])
  await bank.stepAll()
  for (const id of ids) {
    expect((await bank.read(id)).status).toBe('completed')
    const entries = await bank.db.query(
      "select 1 from ledger_entries where cause_kind = 'payout' and reference = $1 and kind = 'payout.posted'",
      [id],
    )
    expect(entries).toHaveLength(1)
  }
})

test('of two workers one makes the round; after a failure it is made again from where the last good one ended', async () => {
  const id = await submitted()
  const rounds = await Promise.all([syncPaymentsWhenDue(context()), syncPaymentsWhenDue(context())])
  expect(rounds.filter((each) => each !== null)).toHaveLength(1)
  bank.standIn.mode = 'down'
  await expect(round()).rejects.toThrow('503')
  expect(await bank.db.query('select failures from payout_syncs')).toEqual([{ failures: 1 }])
  bank.standIn.mode = 'ok'
  bank.standIn.move(60_000)
  await round()
  expect((await bank.read(id)).status).toBe('completed')
})

test('the age of the last complete round is a metric: a round that fails leaves it, one with nothing to read does not', async () => {
  expect(await roundAge(bank.db, 'payout_syncs')).toBeNull()
  const id = await submitted()
  await round()
  const hourAgo = () => bank.db.query("update payout_syncs set completed_at = now() - interval '1 hour'")
  await hourAgo()
  bank.standIn.mode = 'down'
  await expect(round()).rejects.toThrow('503')
  expect(await roundAge(bank.db, 'payout_syncs')).toBeGreaterThanOrEqual(3600)
  bank.standIn.mode = 'ok'
  bank.standIn.move(60_000)
  await round()
  expect(await roundAge(bank.db, 'payout_syncs')).toBeLessThan(60)
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('completed')
  await hourAgo()
  await bank.db.query(
    "update outflows set completed_at = now() - interval '31 days' where status = 'completed'",
  )
  expect([await round(), bank.standIn.asked]).toEqual([null, []])
  expect(await roundAge(bank.db, 'payout_syncs')).toBeLessThan(60)
})

test('a scrape reads the unknown ones once', async () => {
  const read: string[] = []
  const query = async (text: string, values?: unknown[]) => {
    read.push(text)
    return bank.db.query(text, values)
  }
  const metrics = createMetrics('worker')
  createOutflowMetrics(metrics, { ...bank.db, query } as typeof bank.db, [])
  const text = await metrics.exposition()
  for (const name of ['cowry_payouts_unknown', 'cowry_payouts_unknown_age_seconds'])
    expect(text).toMatch(new RegExp(`^${name}\\{.*leg="bank"`, 'm'))
  expect(read.filter((each) => each.includes("status = 'unknown'"))).toHaveLength(1)
})
