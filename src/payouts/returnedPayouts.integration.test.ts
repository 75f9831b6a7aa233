import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts, usdc } from '../../test/support/bankPayouts.ts'
import { platformAccount } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import { compareOutflows } from '../outflows/bank/compareOutflows.ts'
import { findReturns } from '../outflows/bank/findReturns.ts'
import { syncPaymentsWhenDue } from '../outflows/bank/syncPayments.ts'
import type { BankContext } from '../outflows/context.ts'
import { resumeOutflow } from '../outflows/resumeOutflow.ts'
import { newId } from '../platform/ids.ts'

// A bank returns what was paid: days later the partner reports FAILED of a completed payout.

let bank: BankPayouts
let businessId: string
beforeAll(async () => {
  bank = await openBankPayouts({ balance: '1000' })
  const postings = [
    { account: platformAccount('partner:yellowcard', 'USD'), amount: 1_000_000_000n },
    { account: platformAccount('capital', 'USD'), amount: -1_000_000_000n },
  ]
  await bank.db.tx((tx) =>
    post(tx, [
      { kind: 'adjustment', businessId: null, cause: { kind: 'adjustment', id: newId() }, step: 1, postings },
    ]),
  )
})
afterAll(() => bank?.close())
beforeEach(async () => {
  businessId = await bank.business(100_000_000n)
  bank.alarms.length = 0
})
afterEach(() => {
  Object.assign(bank.standIn, { lie: null, claims: null })
})

const paymentOf = (id: string) => {
  const payment = bank.standIn.payments.all().find(({ sequenceId }) => sequenceId === id)
  if (!payment) throw new Error(`the partner has no ${id}`)
  return payment
}
async function paid(): Promise<string> {
  const { id } = await bank.make(businessId)
  for (let i = 0; i < 4; i++) {
    await bank.stepAll()
    bank.standIn.move(10_000)
  }
  expect((await bank.read(id)).status).toBe('completed')
  return id
}
async function paidAndReturned(): Promise<string> {
  const id = await paid()
  bank.standIn.payments.giveBack(paymentOf(id))
  return id
}
const context = () => ({
  ...(bank.ctx as BankContext),
  returnDays: 30,
  turn: async () => {},
  signal: new AbortController().signal,
})
const wake = (id: string) => resumeOutflow(bank.db, 'yellowcard', { id: paymentOf(id).id, sequenceId: id })
const available = () => balanceOf(bank.db, { name: 'available', businessId, asset: usdc })
const partnerHas = () => balanceOf(bank.db, { name: 'partner:yellowcard', businessId: null, asset: 'USD' })
const eventsOf = async (id: string) =>
  (
    await bank.db.query<{ type: string }>(
      "select type from events where business_id = $1 and data->>'id' = $2 order by sequence",
      [businessId, id],
    )
  ).map(({ type }) => type)

async function expectReturned(id: string): Promise<void> {
  const row = await bank.read(id)
  const { usd } = paymentOf(id)
  expect(row).toMatchObject({
    status: 'returned',
    reason: 'bank_returned',
    partnerReturned: usd * 10_000n,
    nextAt: null,
    completedAt: expect.any(Date),
  })
  const { fee, margin, rounding } = row
  expect([await available(), fee > 0n]).toEqual([100_000_000n - fee - margin - rounding, true])
  expect(await eventsOf(id)).toEqual(['payout.sent', 'payout.completed', 'payout.returned'])
}

test('by a webhook: what was sent is available again, the fee stays, and the books agree with the partner', async () => {
  const id = await paidAndReturned()
  await wake(id)
  await bank.stepAll()
  await expectReturned(id)
  expect(await partnerHas()).toBe(bank.standIn.payments.available() * 10_000n)
  await wake(id)
  await bank.stepAll()
  await expectReturned(id)
})

test("by a round of the partner's list, also where nothing more is under way", async () => {
  const id = await paidAndReturned()
  await bank.db.query('truncate payout_syncs')
  expect(await syncPaymentsWhenDue(context())).toMatchObject({ shown: 0, returned: 1 })
  expect((await bank.read(id)).status).toBe('completed')
  await bank.stepAll()
  await expectReturned(id)
})

test('by the daily comparison, which reads so many days back and no more; then it agrees', async () => {
  const id = await paidAndReturned()
  const disagreement = await compareOutflows(context(), 'now')
  expect(disagreement?.mismatches).toMatchObject([{ problem: 'another_state', outflowId: id }])
  paymentOf(id).createdAt -= 29 * 86_400_000
  expect(await findReturns({ ...context(), returnDays: 28 })).toBe(0)
  expect(await findReturns(context())).toBe(1)
  await expectReturned(id)
  expect(await findReturns(context())).toBe(0)
  expect(await compareOutflows(context(), 'now')).toMatchObject({ mismatches: [], drift: 0n })
})

test('many workers at once: it is booked once', async () => {
  const id = await paidAndReturned()
  await Promise.all([wake(id), findReturns(context()), findReturns(context()), bank.stepAll()])
  await bank.stepAll()
  await expectReturned(id)
  expect(
    await bank.db.query("select 1 from ledger_entries where reference = $1 and kind = 'payout.returned'", [
      id,
    ]),
  ).toHaveLength(1)
})

test('a list or a webhook that its own answer does not confirm changes nothing', async () => {
  const id = await paid()
  bank.standIn.lie = (given) => ({ ...given, status: 'failed' })
  const { partner, ...rest } = context()
  const findPayment = async () => {
    bank.standIn.lie = null
    return partner.payments.findPayment(id)
  }
  const honest = { ...rest, partner: { ...partner, payments: { ...partner.payments, findPayment } } }
  expect(await findReturns(honest)).toBe(0)
  await wake(id)
  await bank.stepAll()
  expect([(await bank.read(id)).status, await available()]).toEqual(['completed', 90_000_000n])
})

test.each([
  ['another payment', (given: Record<string, unknown>) => ({ ...given, id: 'another' })],
  ['no amount in the currency', ({ convertedAmount: _, ...given }: Record<string, unknown>) => given],
  ['an amount of 5000 dollars', (given: Record<string, unknown>) => ({ ...given, amount: 5000 })],
])(
  'an answer that names %s is not trusted: it stays completed, with an alarm, until a better one',
  async (_, lie) => {
    const id = await paidAndReturned()
    bank.standIn.lie = lie
    await wake(id)
    await bank.stepAll()
    expect([(await bank.read(id)).status, bank.alarms.length > 0, await available()]).toEqual([
      'completed',
      true,
      90_000_000n,
    ])
    bank.standIn.lie = null
    await bank.stepAll()
    await expectReturned(id)
  },
)
