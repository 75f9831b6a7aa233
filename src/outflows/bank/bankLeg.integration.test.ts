import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  appKey,
  type BankPayouts,
  openBankPayouts,
  profile,
  usdc,
} from '../../../test/support/bankPayouts.ts'
import { systemActor } from '../../audit/recordAudit.ts'
import { balanceOf } from '../../ledger/balance.ts'
import type { PaymentRequest } from '../../partnerPayments/partner.ts'
import { pausePartner, resumePartner } from '../../partnerPayments/partnerPauses.ts'
import { newId } from '../../platform/ids.ts'
import { setLegalProfile } from './legalProfile.ts'

let bank: BankPayouts
beforeAll(async () => {
  bank = await openBankPayouts()
})
afterAll(() => bank?.close())
beforeEach(() => {
  bank.alarms.length = 0
})
afterEach(() => {
  Object.assign(bank.standIn, { mode: 'ok', throttled: 0, lose: null, lie: null })
})

const ofSequence = (id: string) => bank.standIn.payments.all().filter(({ sequenceId }) => sequenceId === id)
const available = (businessId: string) => balanceOf(bank.db, { name: 'available', businessId, asset: usdc })
const held = (businessId: string) => balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })
const statusOf = async (id: string) => (await bank.read(id)).status
async function stepUntilOver(id: string): Promise<void> {
  for (let i = 0; i < 12 && !['completed', 'failed'].includes(await statusOf(id)); i++) {
    bank.standIn.move(10_000)
    await bank.stepAll()
  }
}

test('a payout without a price is priced, submitted once with our id, followed, and booked as far as what the partner took', async () => {
  const businessId = await bank.business(100_000_000n)
  const { id } = await bank.make(businessId)
  await bank.stepAll()
  const sent = await bank.read(id)
  expect(sent).toMatchObject({ status: 'processing', partnerStatus: 'created', reason: null })
  // 10 × 1610 × 0.995 = 16019.50; less 1 %, rounded up: 160.20; whole units: 15859.
  expect(sent.bank?.price).toMatchObject({
    localAmount: 15_859n,
    localFee: '160.2',
    rate: '1610',
    rateSource: 'yellowcard',
  })
  const [payment] = ofSequence(id)
  expect(payment?.given).toMatchObject({
    localAmount: 15_859,
    forceAccept: true,
    customerUID: businessId,
    customerType: 'institution',
    sender: {
      businessId: 'RC1234567',
      businessName: 'Ada Stores Ltd',
      country: 'NG',
      phone: '+2348012345678',
      email: 'ada@stores.example',
    },
    destination: { accountNumber: '1111111111', accountName: 'Ken Adams', accountType: 'bank' },
  })
  expect(payment?.given.amount).toBeUndefined()
  await stepUntilOver(id)
  const done = await bank.read(id)
  const cost = ((payment?.usd ?? 0n) + (payment?.feeUsd ?? 0n)) * 10_000n
  expect(done).toMatchObject({
    status: 'completed',
    partnerStatus: 'complete',
    partnerPaymentId: payment?.id,
    partnerCost: cost,
    nextAt: null,
  })
  expect([await available(businessId), await held(businessId)]).toEqual([90_000_000n, 0n])
  expect(await balanceOf(bank.db, { name: 'partner:yellowcard', businessId: null, asset: 'USD' })).toBe(-cost)
  expect(ofSequence(id)).toHaveLength(1)
})

test('a payment that fails at the bank, and one that is refused, give the money back with a stable reason', async () => {
  const businessId = await bank.business(100_000_000n)
  const failing = await bank.make(businessId, { accountNumber: '0000000000' })
  await stepUntilOver(failing.id)
  expect(await bank.read(failing.id)).toMatchObject({
    status: 'failed',
    reason: 'bank_refused',
    nextAt: null,
  })
  const tiny = await bank.make(businessId, { amount: 10n })
  await bank.stepAll()
  expect(await bank.read(tiny.id)).toMatchObject({ status: 'failed', reason: 'amount_too_small' })
  expect([await available(businessId), await held(businessId), ofSequence(tiny.id).length]).toEqual([
    100_000_000n,
    0n,
    0,
  ])
})

describe('what a payout waits for', () => {
  test('a rate at which it pays at most 2 % more than it takes', async () => {
    const businessId = await bank.business(20_000_000n)
    const priced = (localAmount: bigint) =>
      bank.make(businessId, {
        price: { localAmount, localFee: '0', rate: '1610', rateAt: null, rateSource: null },
      })
    // 10 USDC at 1610 are 16,100, and 2 % more 16,422.
    const [fair, high] = [await priced(16_422n), await priced(16_423n)]
    await stepUntilOver(fair.id)
    expect([await statusOf(fair.id), await bank.read(high.id)]).toMatchObject([
      'completed',
      { status: 'pending', reason: 'price_too_high' },
    ])
    expect([ofSequence(high.id), bank.alarms.includes('price_too_high')]).toEqual([[], true])
    const { partner } = bank.ctx
    if (!partner) throw new Error('no partner')
    bank.ctx.partner = {
      ...partner,
      rates: { midOrNull: async () => ({ rate: '1611', at: new Date(), source: 'yellowcard' }) },
    }
    await stepUntilOver(high.id)
    bank.ctx.partner = partner
    expect(await bank.read(high.id)).toMatchObject({
      status: 'completed',
      bank: { price: { localAmount: 16_423n } },
    })
  })

  test('the legal profile; saving it makes it due', async () => {
    const businessId = await bank.business(20_000_000n, { hasProfile: false })
    const { id } = await bank.make(businessId)
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({ status: 'pending', reason: 'legal_profile_missing' })
    await setLegalProfile({ db: bank.db, appKey }, systemActor('test'), businessId, profile)
    expect(
      await bank.db.query('select 1 from outflows where id = $1 and next_at <= now()', [id]),
    ).toHaveLength(1)
    await stepUntilOver(id)
    expect(await statusOf(id)).toBe('completed')
  })

  test('a paused partner; others that were submitted go on', async () => {
    const businessId = await bank.business(50_000_000n)
    const before = await bank.make(businessId)
    await bank.stepAll()
    await pausePartner(bank.ctx, systemActor('test'), 'yellowcard', 'late')
    const { id } = await bank.make(businessId)
    await stepUntilOver(before.id)
    expect([await statusOf(before.id), await bank.read(id)]).toMatchObject([
      'completed',
      { status: 'pending', reason: 'partner_paused' },
    ])
    expect(ofSequence(id)).toEqual([])
    await resumePartner(bank.ctx, systemActor('test'), 'yellowcard')
    await stepUntilOver(id)
    expect(await statusOf(id)).toBe('completed')
  })

  test("the partner's balance, less what is under way; a smaller one goes on", async () => {
    const businessId = await bank.business(5_000_000_000_000n)
    const large = [
      await bank.make(businessId, { amount: 500_000_000_000n }),
      await bank.make(businessId, { amount: 500_000_000_000n }),
    ]
    await bank.stepAll()
    const small = await bank.make(businessId)
    await bank.stepAll()
    const statuses = async () => (await Promise.all(large.map(({ id }) => statusOf(id)))).sort()
    // Both together may cost 1,020,000 of a million dollars; the partner itself reserves nothing yet.
    expect([await statuses(), await statusOf(small.id)]).toEqual([['pending', 'processing'], 'processing'])
    const waiting = (await bank.read(large[0]?.id ?? '')).status === 'pending' ? large[0] : large[1]
    expect(await bank.read(waiting?.id ?? '')).toMatchObject({ reason: 'partner_balance_low' })
    await stepUntilOver(small.id)
    bank.standIn.payments.topUp(100_000_000n)
    await stepUntilOver(waiting?.id ?? '')
    expect(await statuses()).toEqual(['completed', 'completed'])
  })

  test('without a partner or rates', async () => {
    const businessId = await bank.business(50_000_000n)
    const { id } = await bank.make(businessId)
    const { partner } = bank.ctx
    bank.ctx.partner = null
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({ status: 'pending', reason: 'rates_unavailable' })
    bank.ctx.partner = partner
    await stepUntilOver(id)
    expect(await statusOf(id)).toBe('completed')
  })
})

describe('a lost answer', () => {
  test.each(['answer', 'outcome', 'patience'] as const)(
    '%s: the payout is unknown until the partner is queried, and was made once',
    async (lose) => {
      const businessId = await bank.business(50_000_000n)
      const { id } = await bank.make(businessId)
      // The balance is read by GET.
      bank.standIn.lose = lose
      await bank.stepAll()
      expect(await bank.read(id)).toMatchObject({
        status: 'unknown',
        reason: 'outcome_unknown',
        partnerPaymentId: null,
      })
      await bank.stepAll()
      expect(await bank.read(id)).toMatchObject({
        status: 'processing',
        reason: null,
        partnerPaymentId: ofSequence(id)[0]?.id,
      })
      await stepUntilOver(id)
      expect([await statusOf(id), ofSequence(id).length]).toEqual(['completed', 1])
    },
  )

  test('of a request that never came: it is sent again only after a safe time and two answers that it is absent', async () => {
    const businessId = await bank.business(50_000_000n)
    const { id } = await bank.make(businessId)
    bank.standIn.lose = 'request'
    await bank.stepAll()
    for (let i = 0; i < 5; i++) await bank.stepAll()
    expect([await statusOf(id), ofSequence(id).length]).toEqual(['unknown', 0])
    await bank.db.query('update outflows set absent_since = null where id = $1', [id])
    await bank.age(121_000)
    await bank.stepAll()
    expect(await statusOf(id)).toBe('unknown')
    await new Promise((resolve) => setTimeout(resolve, 5))
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({ status: 'pending', tries: 1, submittedAt: null })
    await stepUntilOver(id)
    expect([await statusOf(id), ofSequence(id).length]).toEqual(['completed', 1])
  })

  test('a submission that is refused because the first one came late is no failure', async () => {
    const businessId = await bank.business(50_000_000n)
    const { id } = await bank.make(businessId)
    bank.standIn.lose = 'answer'
    await bank.stepAll()
    // As if the partner had reported twice that it did not have it.
    await bank.db.query(
      "update outflows set status = 'pending', submitted_at = null, reason = null, revision = revision + 1 where id = $1",
      [id],
    )
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({
      status: 'processing',
      partnerPaymentId: ofSequence(id)[0]?.id,
    })
    await stepUntilOver(id)
    expect([await statusOf(id), ofSequence(id).length]).toEqual(['completed', 1])
  })
})

test('throttled: nothing was sent, and it is pending again', async () => {
  const businessId = await bank.business(50_000_000n)
  const { id } = await bank.make(businessId)
  const { partner } = bank.ctx
  if (!partner) throw new Error('no partner')
  const { payments } = partner
  const submit = async (request: PaymentRequest) => {
    Object.assign(bank.standIn, { throttled: 1, retryAfter: 7 })
    return payments.submit(request)
  }
  bank.ctx.partner = { ...partner, payments: { ...payments, submit } }
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({
    status: 'pending',
    reason: 'partner_busy',
    submittedAt: null,
    tries: 1,
  })
  expect(
    await bank.db.query("select 1 from outflows where id = $1 and next_at > now() + interval '5 seconds'", [
      id,
    ]),
  ).toHaveLength(1)
  bank.ctx.partner = partner
  await stepUntilOver(id)
  expect([await statusOf(id), ofSequence(id).length]).toEqual(['completed', 1])
})

describe('a false answer is never trusted', () => {
  const lies: Record<string, (payment: Record<string, unknown>) => Record<string, unknown>> = {
    'another sequence id': (payment) => ({ ...payment, sequenceId: newId() }),
    'another amount': (payment) => ({ ...payment, convertedAmount: 1, status: 'complete' }),
    'another currency': (payment) => ({ ...payment, currency: 'KES', status: 'complete' }),
    'another id': (payment) => ({ ...payment, id: newId(), status: 'complete' }),
  }
  test.each(Object.entries(lies))('%s', async (name, lie) => {
    const businessId = await bank.business(50_000_000n)
    const submitted = await bank.make(businessId)
    await bank.stepAll()
    // The answer to a submission names the id, so that a wrong one is noticed later.
    const fresh = name === 'another id' ? submitted : await bank.make(businessId)
    bank.standIn.lie = lie
    await bank.stepAll()
    await bank.stepAll()
    const after = await bank.read(submitted.id)
    expect(after).toMatchObject({ partnerStatus: 'created' })
    // The client itself refuses an answer about another id.
    expect(after.status).toBe(name === 'another id' ? 'processing' : 'unknown')
    if (fresh !== submitted) expect(await statusOf(fresh.id)).toBe('unknown')
    expect(bank.alarms.length).toBeGreaterThan(0)
    expect([await held(businessId), ofSequence(submitted.id).length, ofSequence(fresh.id).length]).toEqual([
      fresh === submitted ? 10_000_000n : 20_000_000n,
      1,
      1,
    ])
    bank.standIn.lie = null
    await stepUntilOver(submitted.id)
    await stepUntilOver(fresh.id)
    expect([await statusOf(submitted.id), await statusOf(fresh.id), await held(businessId)]).toEqual([
      'completed',
      'completed',
      0n,
    ])
  })
})

describe('an end is accepted only from an answer that names our id, its payment and its amount', () => {
  const ends = ['complete', 'failed'] as const
  const bookedOf = async (id: string) =>
    (await bank.db.query('select 1 from ledger_entries where reference = $1 and step > 1', [id])).length

  test.each(ends)(
    '%s as the answer to the submission: it is unknown, and queried by our id',
    async (status) => {
      const businessId = await bank.business(50_000_000n)
      const { id } = await bank.make(businessId)
      bank.standIn.lie = (payment) => ({ ...payment, id: newId(), status })
      await bank.stepAll()
      expect(await bank.read(id)).toMatchObject({
        status: 'unknown',
        reason: 'end_unconfirmed',
        partnerPaymentId: null,
      })
      expect([await held(businessId), await bookedOf(id), bank.alarms]).toEqual([
        10_000_000n,
        0,
        ['unconfirmed_end'],
      ])
      bank.standIn.lie = null
      await bank.stepAll()
      expect(await bank.read(id)).toMatchObject({
        status: 'processing',
        partnerPaymentId: ofSequence(id)[0]?.id,
      })
      await stepUntilOver(id)
      expect([await statusOf(id), ofSequence(id).length]).toEqual(['completed', 1])
    },
  )

  const incomplete = ['sequenceId', 'convertedAmount'].flatMap((field) =>
    ends.map((status) => [field, status] as const),
  )
  test.each(incomplete)('without %s, %s as the answer to a question: the same', async (field, status) => {
    const businessId = await bank.business(50_000_000n)
    const { id } = await bank.make(businessId)
    await bank.stepAll()
    bank.standIn.lie = (payment) => ({ ...payment, [field]: undefined, status })
    for (let i = 0; i < 2; i++) await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({
      status: 'unknown',
      reason: 'end_unconfirmed',
      partnerStatus: 'created',
    })
    expect([await held(businessId), await bookedOf(id)]).toEqual([10_000_000n, 0])
    expect(bank.standIn.asked.at(-1)).toBe(`/business/payments/sequence-id/${id}`)
    bank.standIn.lie = null
    await stepUntilOver(id)
    expect([await statusOf(id), ofSequence(id).length]).toEqual(['completed', 1])
  })

  test("another payout's payment as the answer to the submission: it is unknown, and neither takes the other's", async () => {
    const businessId = await bank.business(50_000_000n)
    const other = await bank.make(businessId)
    await bank.stepAll()
    const taken = (await bank.read(other.id)).partnerPaymentId
    const { id } = await bank.make(businessId)
    bank.standIn.lie = (payment) => (payment.sequenceId === id ? { ...payment, id: taken } : payment)
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({
      status: 'unknown',
      reason: 'partner_contradicts',
      partnerPaymentId: null,
    })
    bank.standIn.lie = null
    await stepUntilOver(id)
    expect([await bank.read(id), await bank.read(other.id)]).toMatchObject([
      { status: 'completed', partnerPaymentId: ofSequence(id)[0]?.id },
      { status: 'completed', partnerPaymentId: taken },
    ])
  })
})

test('a term that is not known keeps the state and the text, and alarms', async () => {
  const businessId = await bank.business(50_000_000n)
  const { id } = await bank.make(businessId)
  await bank.stepAll()
  bank.standIn.lie = (payment) => ({ ...payment, status: 'mystery' })
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ status: 'processing', partnerStatus: 'mystery' })
  expect(bank.alarms).toContain('unknown_status')
  bank.standIn.lie = null
  await stepUntilOver(id)
  expect(await statusOf(id)).toBe('completed')
})

test('an answer from an older copy takes no state back', async () => {
  const businessId = await bank.business(50_000_000n)
  const { id } = await bank.make(businessId)
  await bank.stepAll()
  const old = { updatedAt: new Date(bank.standIn.clock.now()).toISOString(), status: 'created' }
  bank.standIn.move(4000)
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ partnerStatus: 'pending' })
  bank.standIn.lie = (payment) => ({ ...payment, ...old })
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ partnerStatus: 'pending', status: 'processing' })
  bank.standIn.lie = null
  await stepUntilOver(id)
})

test('a read that finds nothing new changes nothing that a reader sees; a new term of the partner does', async () => {
  const businessId = await bank.business(50_000_000n)
  const { id } = await bank.make(businessId)
  const seen = async () => {
    const { revision, updatedAt, partnerStatus } = await bank.read(id)
    return { revision, updatedAt, partnerStatus }
  }
  await bank.stepAll()
  const sent = await seen()
  for (let i = 0; i < 3; i++) await bank.stepAll()
  expect(await seen()).toEqual({ ...sent, partnerStatus: 'created' })
  bank.standIn.mode = 'down'
  await bank.stepAll()
  bank.standIn.mode = 'ok'
  expect(await seen()).toEqual(sent)
  bank.standIn.move(4000)
  await bank.stepAll()
  const after = await seen()
  expect(after).toMatchObject({ revision: sent.revision + 1, partnerStatus: 'pending' })
  expect(after.updatedAt.getTime()).toBeGreaterThan(sent.updatedAt.getTime())
  await stepUntilOver(id)
})

test('down for an hour: payouts wait, with the reason, and then leave', async () => {
  const businessId = await bank.business(50_000_000n)
  const sent = await bank.make(businessId)
  await bank.stepAll()
  const { id } = await bank.make(businessId)
  bank.standIn.mode = 'down'
  bank.standIn.move(3_600_000)
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ status: 'pending', reason: 'partner_unavailable' })
  expect(await statusOf(sent.id)).toBe('processing')
  bank.standIn.mode = 'ok'
  await stepUntilOver(id)
  expect([await statusOf(sent.id), await statusOf(id)]).toEqual(['completed', 'completed'])
})

test('an amount that the partner does not take gives the money back', async () => {
  const businessId = await bank.business(3_000_000_000_000n)
  bank.standIn.payments.topUp(300_000_000n)
  const price = { localAmount: 2n ** 32n, localFee: '0', rate: '1610', rateAt: null, rateSource: null }
  const { id } = await bank.make(businessId, { amount: 3_000_000_000_000n, price })
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({ status: 'failed', reason: 'amount_out_of_range' })
  expect([await available(businessId), await held(businessId)]).toEqual([3_000_000_000_000n, 0n])
})
