import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { approvalMessage } from '../../src/approvals/proof.ts'
import { createProver, type Prover } from '../../src/custody/proof.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { type Outflow, readOutflows } from '../../src/outflows/outflow.ts'
import { outflowMessage, priceMessage } from '../../src/outflows/outflowProof.ts'
import { stepOutflow } from '../../src/outflows/stepOutflow.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { type BankPayouts, openBankPayouts, usdc } from '../support/bankPayouts.ts'
import { addPerson } from '../support/dashboardSession.ts'
import { provers } from '../support/intentKeys.ts'
import { insertMember } from '../support/madeBusiness.ts'
import { proveDestination } from '../support/madeDestination.ts'
import { urlAs } from '../support/template.ts'

/**
 * No treasury signs a payout to a bank: the worker itself trusts no row without the proof of its maker and
 * of the API, so that a writer to the database cannot pay with it.
 */

const forger = createProver(new Secret(Buffer.alloc(32, 99).toString('base64')))

let bank: BankPayouts
let worker: Db
let [business, other] = ['', '']
let steps: string[] = []
beforeAll(async () => {
  bank = await openBankPayouts()
  worker = openDb(urlAs('worker', bank.databaseUrl), 4)
  bank.ctx.db = worker
  bank.ctx.observe = (step) => void steps.push(step)
  ;[business, other] = [await bank.business(10_000_000_000n), await bank.business(10_000_000_000n)]
})
afterAll(async () => {
  await worker?.close()
  await bank?.close()
})
beforeEach(() => {
  steps = []
})

/** Each to an account of its own, so that a case may change the destination. */
let accounts = 1_111_110_000
const make = () => bank.make(business, { accountNumber: String(accounts++), price })
const price = {
  localAmount: 15_859n,
  localFee: '160.2',
  rate: '1610',
  rateAt: null,
  rateSource: 'yellowcard',
}
const held = (businessId: string) => balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })
const payments = () => bank.standIn.payments.all().length

/** Changes columns, as only the owner of the database can, and proves the row again with a key. */
async function change(
  { id }: Outflow,
  sets: string,
  values: unknown[] = [],
  prover: Prover | null = null,
): Promise<void> {
  await bank.db.query(`update outflows set ${sets} where id = $1`, [id, ...values])
  const [now] = await readOutflows(bank.db, 'id = $1', [id])
  if (now && prover)
    await bank.db.query('update outflows set proof = $2 where id = $1', [
      id,
      prover.prove(outflowMessage(now)),
    ])
}
/** Proves the price that the row has. */
async function provePriceOf({ id }: Outflow, prover: Prover): Promise<void> {
  const { fee, margin, rounding, bank: to } = await bank.read(id)
  if (!to?.price) throw new Error('no price')
  const proof = prover.prove(
    priceMessage({ id, fee, margin, rounding, currency: to.currency, price: to.price }),
  )
  await bank.db.query('update outflows set price_proof = $2 where id = $1', [id, proof])
}
const changeDestination = ({ destinationId }: Outflow, sets: string, values: unknown[] = []) =>
  bank.db.query(`update payout_destinations set ${sets} where id = $1`, [destinationId, ...values])

/** Two owners, one of whom has approved it, by a row with this proof. */
async function approve({ id: subjectId }: Outflow, prover: Prover): Promise<void> {
  const people = [await addPerson({ db: bank.db }), await addPerson({ db: bank.db })].map(({ id }) => id)
  for (const id of people) await insertMember(bank.db, business, id)
  const [askedByAccount = '', decidedBy = ''] = people
  const approval = {
    id: newId(),
    businessId: business,
    subject: 'payout',
    subjectId,
    askedByAccount,
    askedByKey: null,
    decidedBy,
    decidedAt: new Date(),
  } as const
  await bank.db.query(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, expires_at, decision, decided_by, decided_at, proof)
     values ($1, $2, 'payout', $3, $4, now() + interval '1 hour', 'approved', $5, $6, $7)`,
    [
      approval.id,
      business,
      subjectId,
      askedByAccount,
      decidedBy,
      approval.decidedAt,
      prover.prove(approvalMessage(approval)),
    ],
  )
}

/** A step as soon as it is due. */
async function step({ id }: Outflow): Promise<void> {
  await bank.db.query('update outflows set next_at = now() where id = $1', [id])
  await stepOutflow(bank.ctx, id)
}

test('in good faith it is submitted: made by the worker, and one that a second owner has approved', async () => {
  const [made, approved] = [await make(), await make()]
  await change(approved, 'needs_approval = true', [], provers.worker)
  await approve(approved, provers.api)
  for (const outflow of [made, approved]) {
    await step(outflow)
    expect(await bank.read(outflow.id)).toMatchObject({
      status: 'processing',
      partnerPaymentId: expect.any(String),
    })
  }
})

const forgeries: [what: string, forge: (outflow: Outflow) => Promise<unknown>][] = [
  ['of another amount', (outflow) => change(outflow, 'amount = amount + 1')],
  ['with the proof of a key of the forger', (outflow) => change(outflow, 'tries = 1', [], forger)],
  ['without a proof', (outflow) => change(outflow, 'proof = null')],
  [
    'with a proof of the worker that says it is of the API',
    (outflow) => change(outflow, "made_by = 'api'", [], provers.worker),
  ],
  [
    'of another business, as its destination, with the proof of the worker',
    async (outflow) => {
      await changeDestination(outflow, 'business_id = $2', [other])
      await change(outflow, 'business_id = $2', [other], provers.worker)
    },
  ],
  [
    'of another currency than its destination, with the proof of the worker',
    (outflow) => change(outflow, "currency = 'KES'", [], provers.worker),
  ],
  ['whose destination has no proof', (outflow) => changeDestination(outflow, 'proof = null')],
  [
    'whose destination has the proof of the worker',
    ({ destinationId }) => proveDestination(bank.db, destinationId ?? '', provers.worker),
  ],
  [
    'whose destination has had its cooling-off shortened',
    (outflow) => changeDestination(outflow, "usable_from = usable_from - interval '1 day'"),
  ],
  [
    'whose destination and row are of another bank, with the proof of the worker',
    async (outflow) => {
      await changeDestination(outflow, "network_id = 'another'")
      await change(outflow, "network_id = 'another'", [], provers.worker)
    },
  ],
  ['by a higher price', (outflow) => change(outflow, 'local_amount = local_amount + 1')],
  ['by a smaller fee', (outflow) => change(outflow, 'fee = 0, local_fee = 0, local_amount = 16019')],
  [
    'by a price that was made younger',
    (outflow) => change(outflow, "priced_at = priced_at + interval '1 ms'"),
  ],
  ['by a price without a proof', (outflow) => change(outflow, 'price_proof = null')],
  ['by a price without a time', (outflow) => change(outflow, 'priced_at = null, price_proof = null')],
  [
    'by a price of the worker that claims to be of the API',
    (outflow) => change(outflow, "priced_by = 'api'"),
  ],
  [
    'by a higher price that claims to be of an earlier version',
    (outflow) => change(outflow, 'proof_version = 1, priced_at = null, local_amount = 16000'),
  ],
  ['by a price that the forger has proven', (outflow) => provePriceOf(outflow, forger)],
  [
    'that is a refund, with the proof of the worker',
    (outflow) => change(outflow, "kind = 'refund'", [], provers.worker),
  ],
  [
    'with an approval that the API has not proven',
    async (outflow) => {
      await change(outflow, 'needs_approval = true', [], provers.worker)
      await approve(outflow, forger)
    },
  ],
]
test.each(forgeries)(
  'one %s is refused, with an alarm, and never reaches the partner',
  async (_what, forge) => {
    const outflow = await make()
    await forge(outflow)
    const before = [payments(), bank.standIn.asked.length]
    await step(outflow)
    const after = await bank.read(outflow.id)
    expect([
      payments(),
      bank.standIn.asked.length,
      steps.includes('refused'),
      steps.includes('sent'),
    ]).toEqual([...before, true, false])
    expect(after).toMatchObject({ nextAt: null, submittedAt: null, partnerPaymentId: null })
    expect(['failed refused_by_worker', 'pending null']).toContain(`${after.status} ${after.reason}`)
  },
)

test('one that no money is held for rests as it is, and the money of the first is not touched', async () => {
  const [outflow, id] = [await make(), newId()]
  await bank.db.query(
    `insert into outflows select (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'proof', null))).* from outflows o where o.id = $1`,
    [outflow.id, id],
  )
  const copy = { ...outflow, id }
  await change(copy, 'tries = 0', [], provers.worker)
  const before = await held(business)
  await step(copy)
  expect(await bank.read(id)).toMatchObject({ status: 'pending', nextAt: null, submittedAt: null })
  expect([await held(business), steps]).toEqual([before, ['refused']])
})

test('one that is changed after it was checked is refused too', async () => {
  const [outflow, { partner }] = [await make(), bank.ctx]
  if (!partner) throw new Error('no partner')
  const funds = async () => {
    await change(outflow, 'amount = amount + 1')
    return partner.funds()
  }
  bank.ctx.partner = { ...partner, funds }
  const before = payments()
  await step(outflow)
  bank.ctx.partner = partner
  expect([payments(), steps]).toEqual([before, ['refused', 'failed']])
  expect(await bank.read(outflow.id)).toMatchObject({ status: 'failed', reason: 'refused_by_worker' })
})
