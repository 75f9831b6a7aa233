import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts } from '../../../test/support/bankPayouts.ts'
import { addPerson } from '../../../test/support/dashboardSession.ts'
import { systemActor } from '../../audit/recordAudit.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { readSettings } from '../../platform/config.ts'
import type { ApiError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import { decideEnd } from '../ends/decideEnd.ts'
import { moveOutflow } from '../moveOutflow.ts'
import { lockOutflow, readOutflows } from '../outflow.ts'
import { createPartnerMetrics } from './partnerMetrics.ts'
import { proposeTopUpEnd } from './proposeTopUpEnd.ts'
import { ruleOf } from './startPartner.ts'
import { topUpAddress } from './topUpAddress.ts'
import { type TopUpRule, topUpPartner } from './topUpPartner.ts'

const address = `0x${'5'.repeat(40)}`
const rule: TopUpRule = {
  place: { chain: 'ethereum', token: 'USDC', address },
  below: 500_000_000n,
  to: 1_000_000_000n,
}
const partner = 'yellowcard'

let bank: BankPayouts
beforeAll(async () => {
  bank = await openBankPayouts({ balance: '510' })
})
afterAll(() => bank?.close())

const funds = async () => {
  const read = await bank.ctx.partner?.funds()
  if (!read) throw new Error('no partner')
  return read
}
const topUp = async () => topUpPartner(bank.ctx, partner, rule, await funds())
const topUps = () => readOutflows(bank.db, "kind = 'top_up' order by id", [])
const outcomes = async () =>
  (
    await bank.db.query<{ outcome: string | null }>('select outcome from partner_top_ups order by made_at')
  ).map(({ outcome }) => outcome)
const inBooks = (name: 'exchange' | `partner:${string}` | `treasury:${string}`, asset: string) =>
  balanceOf(bank.db, { name, businessId: null, asset })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ApiError) => error.error,
  )
const move = (id: string, change: Parameters<typeof moveOutflow>[3]) =>
  bank.db.tx(async (tx) => {
    const row = await lockOutflow(tx, id)
    if (!row) throw new Error('no top-up')
    await moveOutflow(bank.ctx, tx, row, change)
  })

test('nothing is topped up while there is enough in addition to payouts under way', async () => {
  await topUp()
  expect(await topUps()).toEqual([])
})

test('below the mark one top-up is made, to the configured address, at any number of workers', async () => {
  const businessId = await bank.business(100_000_000n)
  const { id } = await bank.make(businessId, { amount: 20_000_000n })
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('processing')
  const read = await funds()
  await Promise.all(Array.from({ length: 8 }, () => topUpPartner(bank.ctx, partner, rule, read)))
  const [made, ...others] = await topUps()
  // The payout may cost 20.40 dollars.
  expect(made).toMatchObject({
    status: 'pending',
    chain: 'ethereum',
    token: 'USDC',
    amount: 510_400_000n,
    businessId: null,
    wallet: { chain: 'ethereum', token: 'USDC', address, amount: 510_400_000n },
    bank: { partner, currency: 'USD' },
  })
  expect(others).toEqual([])
  bank.standIn.move(10_000)
  await bank.db.query("update outflows set next_at = null where kind = 'top_up'")
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('completed')
})

test('it is under way until it is seen in the balance, also after its transaction', async () => {
  const [made] = await topUps()
  if (!made) throw new Error('no top-up')
  await move(made.id, { status: 'processing', nextInMs: null })
  await move(made.id, { status: 'completed', nextInMs: null })
  const [before, exchanged] = [
    await inBooks('partner:yellowcard', 'USD'),
    await inBooks('treasury:ethereum', 'ethereum:USDC'),
  ]
  // The payout's cost is booked, too.
  expect([before > 480_000_000n, exchanged]).toEqual([true, -510_400_000n])
  await topUp()
  expect([(await topUps()).length, await outcomes()]).toEqual([1, [null]])
  bank.standIn.payments.topUp(51_040n)
  await topUp()
  expect([(await topUps()).length, await outcomes()]).toEqual([1, ['arrived']])
})

test('one that failed makes room for the next; one that is not seen raises one alarm, and keeps the next back until an operator ends it', async () => {
  const businessId = await bank.business(2_000_000_000n)
  const { id } = await bank.make(businessId, { amount: 600_000_000n })
  await bank.stepAll()
  bank.standIn.move(10_000)
  await bank.db.query("update outflows set next_at = null where kind = 'top_up'")
  await bank.stepAll()
  expect((await bank.read(id)).status).toBe('completed')
  await topUp()
  const [, second] = await topUps()
  if (!second) throw new Error('no second top-up')
  await move(second.id, { status: 'failed', release: 'refused_by_worker', reason: 'policy' })
  await topUp()
  const third = (await topUps())[2]
  expect([third?.status, await outcomes()]).toEqual(['pending', ['arrived', 'failed', null]])
  if (!third) return
  await move(third.id, { status: 'processing', nextInMs: null })
  await move(third.id, { status: 'completed', nextInMs: null })
  await bank.db.query("update outflows set completed_at = now() - interval '25 hours' where id = $1", [
    third.id,
  ])
  for (let day = 0; day < 4; day++) await topUp()
  expect([await outcomes(), bank.alarms]).toEqual([['arrived', 'failed', null], ['top_up_missing']])
  const metrics = createMetrics('worker')
  createPartnerMetrics(metrics, bank.db, partner)
  expect(await metrics.exposition()).toMatch(/cowry_partner_top_up_age_seconds\{[^}]*\} 90\d{3}/)
  // A small rise is a payout that was returned, and no top-up.
  bank.standIn.payments.topUp(1000n)
  await topUp()
  expect((await outcomes()).at(-1)).toBeNull()
  const [ada, bola] = [await addPerson(bank, { operator: true }), await addPerson(bank, { operator: true })]
  const actor = systemActor('test')
  const propose = (id: string, { email } = ada) =>
    proposeTopUpEnd(bank.ctx, actor, id, 'the partner has no such deposit: ticket 7', email)
  const approve = (proposal: string, { email } = bola) =>
    decideEnd(bank.ctx, actor, proposal, 'approved', email)
  expect(await codeOf(propose(second.id))).toBe('top_up_not_open')
  expect(await codeOf(propose(newId()))).toBe('Not found')
  expect(await codeOf(propose(third.id, await addPerson(bank)))).toBe('not_an_operator')
  const proposal = await propose(third.id)
  expect((await outcomes()).at(-1)).toBeNull()
  expect(await codeOf(approve(proposal, ada))).toBe('own_request')
  expect((await outcomes()).at(-1)).toBeNull()
  await approve(proposal)
  expect(await codeOf(approve(proposal))).toBe('end_decided')
  const audited = await bank.db.query(
    "select action, after->>'operator' as operator from audit_log where target = $1 order by id",
    [third.id],
  )
  expect(audited).toEqual([
    { action: 'outflow.end_proposed', operator: null },
    { action: 'top_up.ended_by_hand', operator: `${ada.email}, ${bola.email}` },
  ])
  await topUp()
  const fourth = (await topUps())[3]
  expect([fourth?.status, await outcomes()]).toEqual([
    'pending',
    ['arrived', 'failed', 'ended_by_operator', null],
  ])
  expect(await codeOf(propose(fourth?.id ?? ''))).toBe('outflow_open')
})

test("the treasury's own setting decides where a top-up may go", () => {
  const allowed = (chain: string, token: string, place?: string) =>
    topUpAddress(
      { settings: (of) => readSettings('treasury', of, { YELLOWCARD_TOP_UP: place }) },
      { chain, token },
    )
  const place = `ethereum:USDC:${address}`
  expect(allowed('ethereum', 'USDC', place)).toBe(address)
  expect([
    allowed('ethereum', 'USDT', place),
    allowed('polygon', 'USDC', place),
    allowed('ethereum', 'USDC'),
  ]).toEqual([null, null, null])
  for (const wrong of [
    'ethereum',
    'ethereum:USDC',
    'ethereum:USDC:0x12',
    `mars:USDC:${address}`,
    `ethereum:EURC:${address}`,
  ])
    expect(() => allowed('ethereum', 'USDC', wrong)).toThrow('YELLOWCARD_TOP_UP must be')
})

test.each([
  ['polygon:USDC:0x0000000000000000000000000000000000000000', 'is the zero address'],
  ['polygon:USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'is the address of a token'],
  ['ethereum:USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'is the contract of a token on another chain'],
  ['solana:USDC:11111111111111111111111111111111', 'is a program'],
])('a worker does not start with a place of top-ups that cannot receive: %s', (place, reason) => {
  const environment = {
    YELLOWCARD_TOP_UP: place,
    YELLOWCARD_TOP_UP_BELOW: '500',
    YELLOWCARD_TOP_UP_TO: '1000',
  }
  expect(() => ruleOf({ settings: (of) => readSettings('worker', of, environment) })).toThrow(reason)
})

test('a place that can receive is taken', () => {
  const environment = {
    YELLOWCARD_TOP_UP: `ethereum:USDC:${address}`,
    YELLOWCARD_TOP_UP_BELOW: '500',
    YELLOWCARD_TOP_UP_TO: '1000',
  }
  expect(ruleOf({ settings: (of) => readSettings('worker', of, environment) })).toEqual(rule)
})
