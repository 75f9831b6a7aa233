import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts } from '../../../test/support/bankPayouts.ts'
import { paymentRequest } from '../../../test/support/paymentRequests.ts'
import { platformAccount } from '../../ledger/account.ts'
import { post } from '../../ledger/post.ts'
import { newId } from '../../platform/ids.ts'
import { compareOutflows, compareWhenDue } from './compareOutflows.ts'
import { lastComparison } from './lastComparison.ts'

let bank: BankPayouts
let businessId: string
const done: string[] = []

const context = () => {
  const { partner, ...ctx } = bank.ctx
  if (!partner) throw new Error('no partner')
  return { ...ctx, partner, signal: new AbortController().signal }
}
const compare = async () => {
  const compared = await compareOutflows(context(), 'now')
  if (!compared) throw new Error('not compared')
  const { mismatches, drift } = compared
  return { mismatches: mismatches.map(({ place, problem, outflowId }) => [place, problem, outflowId]), drift }
}
async function finish(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    bank.standIn.move(10_000)
    await bank.stepAll()
  }
}

beforeAll(async () => {
  bank = await openBankPayouts({ balance: '1000' })
  businessId = await bank.business(1_000_000_000n)
  // The operator booked the money that the account was opened with.
  const postings = [
    { account: platformAccount('partner:yellowcard', 'USD'), amount: 1_000_000_000n },
    { account: platformAccount('capital', 'USD'), amount: -1_000_000_000n },
  ]
  await bank.db.tx((tx) =>
    post(tx, [
      { kind: 'adjustment', businessId: null, cause: { kind: 'adjustment', id: newId() }, step: 1, postings },
    ]),
  )
  for (let i = 0; i < 4; i++) done.push((await bank.make(businessId)).id)
  await bank.stepAll()
  await finish()
})
afterAll(() => bank?.close())
beforeEach(() => bank.db.query('delete from partner_mismatches; delete from partner_comparisons'))

test('payouts, payments and the balance agree, also while payouts are under way', async () => {
  expect(await compare()).toEqual({ mismatches: [], drift: 0n })
  const { id } = await bank.make(businessId)
  await bank.stepAll()
  bank.standIn.move(4000)
  expect(await compare()).toEqual({ mismatches: [], drift: 0n })
  await finish()
  expect((await bank.read(id)).status).toBe('completed')
  expect(await compare()).toEqual({ mismatches: [], drift: 0n })
})

test('it is made once a day', async () => {
  await compareWhenDue(context())
  const asked = bank.standIn.asked.length
  await compareWhenDue(context())
  expect(bank.standIn.asked.length).toBe(asked)
  await bank.db.query("update partner_comparisons set ended_at = now() - interval '25 hours'")
  await compareWhenDue(context())
  expect(await bank.db.query('select 1 from partner_comparisons')).toHaveLength(2)
  expect((await lastComparison(bank.db, 'yellowcard'))?.mismatches).toEqual([])
})

test('a payment of another customer, one of another amount, and one of a payout that has failed are found, and the money that they took', async () => {
  const [another, wrong, failed] = done
  await bank.ctx.partner?.payments.submit(paymentRequest({ localAmount: 16_000n }))
  await bank.db.query('update outflows set local_amount = local_amount + 1 where id = $1', [wrong])
  await bank.db.query("update outflows set status = 'failed', completed_at = null where id = $1", [failed])
  await bank.db.query("update outflows set partner_payment_id = 'other' where id = $1", [another])
  bank.standIn.move(10_000)
  const { mismatches, drift } = await compare()
  expect(mismatches.sort()).toEqual(
    [
      ['partner', 'no_payout', null],
      ['partner', 'another_amount', wrong],
      ['partner', 'another_state', failed],
      ['partner', 'another_payment', another],
    ].sort(),
  )
  expect(drift).toBe(-10_100_000n)
  await bank.db.query('update outflows set local_amount = local_amount - 1 where id = $1', [wrong])
  await bank.db.query("update outflows set status = 'completed', completed_at = now() where id = $1", [
    failed,
  ])
})

test('a payout that the partner has taken and does not list is found, once its submission is not too new', async () => {
  const [, , , id] = done
  const all = bank.standIn.payments.all() as unknown as { sequenceId: string }[]
  all.splice(
    all.findIndex(({ sequenceId }) => sequenceId === id),
    1,
  )
  const found = async () => (await compare()).mismatches.filter(([place]) => place === 'books')
  expect(await found()).toEqual([])
  await bank.db.query('delete from partner_mismatches; delete from partner_comparisons')
  await bank.db.query("update outflows set submitted_at = submitted_at - interval '1 hour' where id = $1", [
    id,
  ])
  expect(await found()).toEqual([['books', 'not_in_list', id]])
})
