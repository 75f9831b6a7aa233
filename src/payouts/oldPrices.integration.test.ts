import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { awayFromMidnight } from '../../test/support/awayFromMidnight.ts'
import { type BankPayouts, openBankPayouts, usdc } from '../../test/support/bankPayouts.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { platformAccount } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { fxResultByDay } from '../outflows/bank/fxResult.ts'
import type { BankPrice, Outflow } from '../outflows/outflow.ts'
import { createOutflowMetrics } from '../outflows/outflowMetrics.ts'
import { outflowMessage, priceMessage } from '../outflows/outflowProof.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { cancelPayout } from './cancelPayout.ts'
import { confirmPayoutPrice } from './confirmPayoutPrice.ts'

await awayFromMidnight()

/** Bank payouts whose price is older than it may be when they would leave, on the partner's stand-in. */

let bank: BankPayouts
let partner: NonNullable<BankPayouts['ctx']['partner']>
beforeAll(async () => {
  bank = await openBankPayouts()
  if (!bank.ctx.partner) throw new Error('no partner')
  partner = bank.ctx.partner
})
afterAll(() => bank?.close())
afterEach(() => {
  bank.ctx.partner = partner
  bank.alarms.length = 0
})

const ofSequence = (id: string) => bank.standIn.payments.all().filter(({ sequenceId }) => sequenceId === id)
const held = (businessId: string) => balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })
const eventsOf = async (id: string) =>
  (
    await bank.db.query<{ type: string }>(
      "select type from events where data->>'id' = $1 order by sequence",
      [id],
    )
  ).map(({ type }) => type)

/** Every price is older than it may be, and the partner's mid rate is this. */
function later(rate: string): void {
  const rates = { midOrNull: async () => ({ rate, at: new Date(), source: 'yellowcard' }) }
  bank.ctx.partner = { ...partner, rates, prices: { ...partner.prices, maxAgeMs: -1 } }
}
/** The same with prices that are new. */
function soon(rate: string): void {
  later(rate)
  if (bank.ctx.partner) bank.ctx.partner.prices = partner.prices
}

/** 10 USDC at 1610, less 0.5 %, less 1 %: as the API prices it. */
const price: BankPrice = {
  localAmount: 15_859n,
  localFee: '160.2',
  rate: '1610',
  rateAt: null,
  rateSource: 'yellowcard',
}
const made = async () => {
  const businessId = await bank.business(10_000_000n)
  const { id } = await bank.make(businessId, { price })
  return { businessId, id }
}
async function isProven({ id }: Pick<Outflow, 'id'>): Promise<boolean> {
  const { fee, margin, rounding, bank: to } = await bank.read(id)
  const [row] = await bank.db.query<{ proof: Buffer | null }>(
    'select price_proof as proof from outflows where id = $1',
    [id],
  )
  if (!to?.price || !row?.proof) return false
  return proofs.worker.verifies(
    priceMessage({ id, fee, margin, rounding, currency: to.currency, price: to.price }),
    row.proof,
  )
}
const confirm = async (outflow: { id: string }, businessId: string, revision?: number) =>
  confirmPayoutPrice(
    { ...bank.ctx, db: bank.db },
    { businessId, id: outflow.id, revision: revision ?? (await bank.read(outflow.id)).revision },
    async () => {},
  )
async function stepUntilOver(id: string): Promise<void> {
  for (let i = 0; i < 12 && (await bank.read(id)).status !== 'completed'; i++) {
    bank.standIn.move(10_000)
    await bank.stepAll()
  }
  expect((await bank.read(id)).status).toBe('completed')
}

test('a price that is not old is kept, at any rate, as long as it is not far above worth', async () => {
  const outflow = await made()
  soon('1600')
  await bank.stepAll()
  expect(await bank.read(outflow.id)).toMatchObject({
    status: 'processing',
    bank: { price: { localAmount: 15_859n, rate: '1610' } },
  })
  expect(await isProven(outflow)).toBe(true)
})

test.each([
  ['falls by less than the share', '1600', 15_760n],
  ['rises', '1700', 16_745n],
])('an old price is renewed in the claim that submits it: the rate %s', async (_what, rate, localAmount) => {
  const outflow = await made()
  later(rate)
  await bank.stepAll()
  const sent = await bank.read(outflow.id)
  expect(sent).toMatchObject({
    status: 'processing',
    bank: { price: { localAmount, rate, agreedAmount: 15_859n } },
  })
  expect(sent.bank?.price?.pricedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000)
  expect([ofSequence(outflow.id)[0]?.given.localAmount, await isProven(outflow)]).toEqual([
    Number(localAmount),
    true,
  ])
})

describe('where the bank would get less by more than the share', () => {
  test('it waits with one event, and the partner gets no request; confirmed, it leaves by the price that was seen', async () => {
    const { businessId, id } = await made()
    later('1500')
    for (let i = 0; i < 3; i++) await bank.stepAll()
    const waiting = await bank.read(id)
    expect(waiting).toMatchObject({
      status: 'pending',
      reason: 'price_changed',
      bank: { price: { localAmount: 14_775n, agreedAmount: 15_859n } },
    })
    expect([ofSequence(id), await eventsOf(id), bank.alarms, await isProven(waiting)]).toEqual([
      [],
      ['payout.price_changed'],
      [],
      true,
    ])
    soon('1500')
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({ status: 'pending', reason: 'price_changed' })
    await expect(confirm({ id }, businessId, waiting.revision - 1)).rejects.toMatchObject({
      status: 409,
      error: 'revision_outdated',
    })
    await expect(confirm({ id }, (await made()).businessId)).rejects.toMatchObject({ status: 404 })
    expect(await confirm({ id }, businessId)).toMatchObject({
      status: 'pending',
      reason: null,
      receiveAmount: '14775',
      rate: '1500',
    })
    await expect(confirm({ id }, businessId)).rejects.toMatchObject({
      status: 409,
      error: 'price_not_changed',
    })
    await stepUntilOver(id)
    expect(ofSequence(id).map(({ given }) => given.localAmount)).toEqual([14_775])
    await expect(confirm({ id }, businessId)).rejects.toMatchObject({ status: 409, error: 'payout_not_open' })
  })

  test('a confirmed price that falls again needs another confirmation', async () => {
    const { businessId, id } = await made()
    later('1500')
    await bank.stepAll()
    await confirm({ id }, businessId)
    later('1400')
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({
      status: 'pending',
      reason: 'price_changed',
      bank: { price: { agreedAmount: 14_775n } },
    })
    expect([ofSequence(id), await eventsOf(id)]).toEqual([
      [],
      ['payout.price_changed', 'payout.price_changed'],
    ])
  })

  test('a rate that rises again lets it leave', async () => {
    const { id } = await made()
    later('1500')
    await bank.stepAll()
    later('1612')
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({
      status: 'processing',
      reason: null,
      bank: { price: { rate: '1612' } },
    })
  })

  test('cancelled, its money is available again', async () => {
    const { businessId, id } = await made()
    later('1500')
    await bank.stepAll()
    await cancelPayout({ ...bank.ctx, db: bank.db }, businessId, id, async () => {})
    expect([(await bank.read(id)).status, await held(businessId), ofSequence(id)]).toEqual([
      'cancelled',
      0n,
      [],
    ])
  })

  test('an automatic one waits with an alarm, once', async () => {
    const { id } = await made()
    await bank.db.query('update outflows set automatic = true where id = $1', [id])
    const now = await bank.read(id)
    await bank.db.query('update outflows set proof = $2 where id = $1', [
      id,
      provers.worker.prove(outflowMessage(now)),
    ])
    later('1500')
    for (let i = 0; i < 2; i++) await bank.stepAll()
    expect([(await bank.read(id)).reason, bank.alarms]).toEqual(['price_changed', ['price_changed']])
  })
})

test('a row of an earlier version, whose price has no time and no proof, is priced again before it leaves', async () => {
  const { id } = await made()
  await bank.db.query(
    'update outflows set proof_version = 1, priced_at = null, agreed_amount = null, priced_by = null, price_proof = null where id = $1',
    [id],
  )
  const old = await bank.read(id)
  await bank.db.query('update outflows set proof = $2 where id = $1', [
    id,
    provers.worker.prove(outflowMessage(old)),
  ])
  soon('1605')
  await bank.stepAll()
  expect(await bank.read(id)).toMatchObject({
    status: 'processing',
    bank: { price: { rate: '1605', agreedAmount: 15_859n } },
  })
  expect(await isProven(old)).toBe(true)
})

test('what the exchange of a payout gained or lost is posted, and is a metric by day', async () => {
  const result = () => balanceOf(bank.db, platformAccount('fx_result', 'USD'))
  const metrics = createMetrics('test')
  createOutflowMetrics(metrics, bank.db, [])
  const shown = async () => {
    const found = (await metrics.read()).find(({ name }) => name === 'cowry_payouts_fx_result_usd')
    return Object.fromEntries((found?.values ?? []).map(({ labels, value }) => [labels.day, value]))
  }
  const { id } = await made()
  await stepUntilOver(id)
  const { amount, fee, margin, rounding, partnerCost } = await bank.read(id)
  const posted = await bank.db.query<{ name: string; amount: string }>(
    `select a.name || ' ' || p.asset as name, p.amount::text from ledger_entries e join ledger_postings p on p.entry_id = e.id
     join ledger_accounts a on a.id = p.account_id where e.reference = $1 and e.kind = 'payout.posted' and a.business_id is null order by 1`,
    [id],
  )
  const principal = amount - fee - margin - rounding
  const cost = partnerCost ?? 0n
  expect(principal - cost).not.toBe(0n)
  // One for one: what the platform took of the token is what it gave in dollars.
  expect(posted).toEqual([
    { name: 'exchange USD', amount: `${principal}` },
    { name: `exchange ${usdc}`, amount: `${-principal}` },
    { name: 'fx_result USD', amount: `${cost - principal}` },
    { name: 'partner:yellowcard USD', amount: `${-cost}` },
  ])
  expect(await shown()).toEqual({ today: Number(await result()) / 1e6, yesterday: 0 })
  const yesterday = await fxResultByDay(bank.db, new Date(Date.now() + 86_400_000))
  expect(yesterday).toEqual([
    { day: 'today', result: 0n },
    { day: 'yesterday', result: await result() },
  ])
})
