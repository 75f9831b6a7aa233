import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts, usdc } from '../../../test/support/bankPayouts.ts'
import { systemActor } from '../../audit/recordAudit.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { cancelPayout } from '../../payouts/cancelPayout.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import { endByHand } from '../ends/endByHand.ts'
import { createOutflowMetrics } from '../outflowMetrics.ts'
import { resumeOutflow } from '../resumeOutflow.ts'

// What a partner reports and cannot be right: a cost, a refusal, a time. No money moves by it.

let bank: BankPayouts
let businessId: string
beforeAll(async () => {
  bank = await openBankPayouts()
})
afterAll(() => bank?.close())
beforeEach(async () => {
  businessId = await bank.business(100_000_000n)
  bank.alarms.length = 0
})
afterEach(() => {
  Object.assign(bank.standIn, { lose: null, lie: null, claims: null, lookUpLags: false, clockIsAheadBy: 0 })
})

const ofSequence = (id: string) => bank.standIn.payments.all().filter(({ sequenceId }) => sequenceId === id)
const inBooks = async () => {
  const of = (name: 'available' | 'payouts_held') => balanceOf(bank.db, { name, businessId, asset: usdc })
  return { available: await of('available'), held: await of('payouts_held') }
}
const atPartner = () => balanceOf(bank.db, { name: 'partner:yellowcard', businessId: null, asset: 'USD' })
async function steps(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    bank.standIn.move(10_000)
    await bank.stepAll()
  }
}
const isHeld = { available: 90_000_000n, held: 10_000_000n }

test.each([
  [{ amount: 5000, serviceFeeAmountUSD: 70 }],
  [{ amount: 0, serviceFeeAmountUSD: 0 }],
  [{ amount: 9.85, serviceFeeAmountUSD: 70 }],
  [{ amount: 1 }],
])(
  'a cost of %j for a payout of 10: it is unknown, with an alarm, and nothing is posted until the partner corrects it',
  async (claims) => {
    const before = await atPartner()
    const { id } = await bank.make(businessId)
    bank.standIn.claims = claims
    await steps(4)
    expect(await bank.read(id)).toMatchObject({
      status: 'unknown',
      reason: 'cost_out_of_band',
      partnerStatus: 'complete',
      partnerCost: null,
    })
    expect([bank.alarms.includes('cost_out_of_band'), await inBooks(), await atPartner()]).toEqual([
      true,
      isHeld,
      before,
    ])
    bank.standIn.claims = null
    await steps(1)
    const { usd = 0n, feeUsd = 0n } = ofSequence(id)[0] ?? {}
    expect(await bank.read(id)).toMatchObject({ status: 'completed', partnerCost: (usd + feeUsd) * 10_000n })
  },
)

test('an operator accepts a cost outside the band', async () => {
  const before = await atPartner()
  const { id } = await bank.make(businessId)
  bank.standIn.claims = { amount: 12 }
  await steps(4)
  const { revision, partnerPaymentId } = await bank.read(id)
  const wanted = {
    status: 'completed',
    revision,
    evidence: 'their invoice',
    partnerPaymentId: partnerPaymentId ?? '',
    partnerCost: 12_100_000n,
  } as const
  await bank.db.tx((tx) =>
    endByHand(bank.ctx, tx, systemActor('test'), id, wanted, { proposer: 'Ada', approver: 'Ben' }),
  )
  await steps(1)
  expect(await bank.read(id)).toMatchObject({
    status: 'completed',
    partnerCost: 12_100_000n,
    contradictedAt: null,
  })
  expect([await inBooks(), before - (await atPartner())]).toEqual([
    { available: 90_000_000n, held: 0n },
    12_100_000n,
  ])
  // Its money moves no more by itself: that the bank returns it is an alarm.
  const [payment] = ofSequence(id)
  if (!payment) throw new Error('no payment')
  bank.standIn.payments.giveBack(payment)
  await resumeOutflow(bank.db, 'yellowcard', payment)
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ status: 'completed', contradictedAt: expect.any(Date) })
})

/** The first submission has no answer, and the partner reports twice that it has no such payment. */
async function submitTwice(): Promise<string> {
  const { id } = await bank.make(businessId)
  bank.standIn.lookUpLags = true
  bank.standIn.lose = 'answer'
  await bank.stepAll()
  await bank.stepAll()
  await bank.age(121_000)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ status: 'pending', outcomeLostAt: expect.any(Date) })
  await bank.stepAll()
  return id
}

test('a refusal as a duplicate while the look-up lags gives no money back: the payout is unknown until the partner names it', async () => {
  const id = await submitTwice()
  for (let i = 0; i < 3; i++) {
    await bank.age(121_000)
    await bank.stepAll()
  }
  expect(await bank.read(id)).toMatchObject({ status: 'unknown', reason: 'refusal_in_doubt' })
  expect([await inBooks(), bank.alarms, ofSequence(id).length]).toEqual([isHeld, ['refusal_in_doubt'], 1])
  bank.standIn.lookUpLags = false
  await steps(4)
  expect([(await bank.read(id)).status, ofSequence(id).length]).toEqual(['completed', 1])
})

test('any refusal after a submission without an answer is in doubt', async () => {
  const { id } = await bank.make(businessId, { accountNumber: '2222222222' })
  bank.standIn.lose = 'request'
  await bank.stepAll()
  await bank.stepAll()
  await bank.age(121_000)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('pending')
  const { partner } = bank.ctx
  if (!partner) throw new Error('no partner')
  bank.ctx.partner = {
    ...partner,
    payments: {
      ...partner.payments,
      submit: () => partner.payments.submit({ ...emptyRequest, sequenceId: id }),
    },
  }
  await bank.stepAll()
  bank.ctx.partner = partner
  expect(await bank.read(id)).toMatchObject({ status: 'unknown', reason: 'refusal_in_doubt' })
  expect(await inBooks()).toEqual(isHeld)
})

/** Its submission was lost, and the partner did not know it twice. */
async function lostSubmission(): Promise<string> {
  const { id } = await bank.make(businessId)
  bank.standIn.lose = 'request'
  await bank.stepAll()
  await bank.stepAll()
  await bank.age(121_000)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await bank.stepAll()
  bank.standIn.lose = null
  expect((await bank.read(id)).status).toBe('pending')
  return id
}

test('what the partner may have is not given back: a caller is refused, and a reason of the platform makes it unknown', async () => {
  const id = await lostSubmission()
  await expect(
    cancelPayout({ ...bank.ctx, db: bank.db }, businessId, id, async () => {}),
  ).rejects.toMatchObject({
    status: 409,
    error: 'payout_not_open',
  })
  const { destinationId } = await bank.read(id)
  await bank.db.query('update payout_destinations set archived_at = now() where id = $1', [destinationId])
  const { observe } = bank.ctx
  const steps: string[] = []
  bank.ctx.observe = (step) => void steps.push(step)
  await bank.stepAll()
  bank.ctx.observe = observe
  expect([await bank.read(id), await inBooks(), ofSequence(id).length]).toMatchObject([
    { status: 'unknown', reason: 'refusal_in_doubt' },
    isHeld,
    0,
  ])
  expect(steps).toEqual(['unknown'])
})

test('what the partner may have keeps its price', async () => {
  const id = await lostSubmission()
  const before = (await bank.read(id)).bank?.price
  const { partner } = bank.ctx
  if (!partner) throw new Error('no partner')
  bank.ctx.partner = { ...partner, prices: { ...partner.prices, maxAgeMs: -1 } }
  await bank.stepAll()
  bank.ctx.partner = partner
  expect([await bank.read(id), (await bank.read(id)).bank?.price, ofSequence(id).length]).toMatchObject([
    { status: 'processing' },
    before ?? {},
    1,
  ])
})

// Refused for its sender.
const emptyRequest = {
  localAmount: 1n,
  channel: { type: 'bank', country: 'NG', currency: 'NGN' },
  destination: { accountNumber: '2222222222', networkId: '', accountType: 'bank', accountName: 'Ken' },
  sender: { kind: 'business', businessId: '', businessName: '' },
  customerId: 'ours',
  reason: 'other',
  forceAccept: true,
} as const

test('a duplicate of a payment that this database does not know of is in doubt, too', async () => {
  const { id } = await bank.make(businessId)
  await bank.stepAll()
  // As a restored database has it.
  await bank.db.query(
    "update outflows set status = 'pending', submitted_at = null, partner_payment_id = null, partner_status = null, revision = revision + 1 where id = $1",
    [id],
  )
  bank.standIn.lookUpLags = true
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ status: 'unknown', reason: 'refusal_in_doubt' })
})

test('one answer of the year 2126 hides a payout for ten minutes only', async () => {
  const { id } = await bank.make(businessId)
  bank.standIn.clockIsAheadBy = 100 * 365 * 86_400_000
  await bank.stepAll()
  bank.standIn.move(2000)
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('processing')
  bank.standIn.clockIsAheadBy = 0
  await steps(3)
  // Ten minutes pass.
  await bank.db.query(
    "update partner_payment_states set fetched_at = fetched_at - interval '601 seconds', updated_at = updated_at - interval '601 seconds' where sequence_id = $1",
    [id],
  )
  await steps(1)
  expect((await bank.read(id)).status).toBe('completed')
})

test('each state that waits has the age of its oldest payout as a metric', async () => {
  const { id } = await bank.make(businessId)
  await bank.stepAll()
  await bank.db.query("update outflows set submitted_at = now() - interval '2 hours' where id = $1", [id])
  const waiting = await bank.make(businessId)
  await bank.db.query(
    "update outflows set created_at = now() - interval '3 hours', next_at = null where id = $1",
    [waiting.id],
  )
  const age = async (state: string) => {
    const metrics = createMetrics('worker')
    createOutflowMetrics(metrics, bank.db, [])
    return Number(
      new RegExp(
        `^cowry_outflows_oldest_age_seconds\\{.*kind="payout",state="${state}".*\\} (.+)$`,
        'm',
      ).exec(await metrics.exposition())?.[1],
    )
  }
  expect([
    Math.round((await age('processing')) / 60),
    Math.round((await age('awaiting_approval')) / 60),
  ]).toEqual([120, 0])
  await bank.db.query("update payout_destinations set usable_from = created_at - interval '1 day'")
  expect(Math.round((await age('pending')) / 60)).toBe(180)
  await bank.db.query("update outflows set reason = 'held' where id = $1", [waiting.id])
  expect(await age('pending')).toBe(0)
  await bank.db.query('update outflows set reason = null, next_at = now() where id = $1', [waiting.id])
})
