import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts, usdc } from '../../../test/support/bankPayouts.ts'
import { addBusiness, addMember, addPerson, type Person } from '../../../test/support/dashboardSession.ts'
import { intentOf } from '../../../test/support/evmIntents.ts'
import { provers } from '../../../test/support/intentKeys.ts'
import { makeAutopayout } from '../../../test/support/madeAutopayout.ts'
import { makeDestination } from '../../../test/support/madeDestination.ts'
import { giveBalance, makePayout } from '../../../test/support/madePayout.ts'
import { makeRefund, settleMade } from '../../../test/support/madeRefunds.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../../test/support/madeSessions.ts'
import { makeSource } from '../../../test/support/madeSource.ts'
import { storedOutflow } from '../../../test/support/paying.ts'
import { acknowledge, restore } from '../../../test/support/restoring.ts'
import { followEthereum } from '../../../test/support/sessionDatabase.ts'
import { decideApproval } from '../../approvals/decideApproval.ts'
import { systemActor } from '../../audit/recordAudit.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { cancelPayout } from '../../payouts/cancelPayout.ts'
import { markPayoutPaid } from '../../payouts/markPayoutPaid.ts'
import { cancelRefund } from '../../refunds/cancelRefund.ts'
import { insertIntent } from '../../txmgr/intents.ts'
import { afterRefusedSubmit } from '../bank/afterRefusedSubmit.ts'
import { decidedOutflow } from '../decidedOutflow.ts'
import { moveOutflow, type OutflowChange } from '../moveOutflow.ts'
import { lockOutflow } from '../outflow.ts'
import { outflowPurpose } from '../outflowPurpose.ts'
import { refuseOutflow } from '../refuseOutflow.ts'
import { stepOutflow } from '../stepOutflow.ts'
import { stopOutflow } from '../stopOutflow.ts'
import { decideEnd } from './decideEnd.ts'
import { RestoreUnsettledError } from './mayRelease.ts'
import { proposeEnd } from './proposeEnd.ts'
import { type Release, releases, type Way } from './waysToEnd.ts'

// Every way that gives a reservation back: it does, and does not while the database is restored.

let bank: BankPayouts
let businessId: string
let owners: [Person, Person]
let operators: [Person, Person]
beforeAll(async () => {
  bank = await openBankPayouts()
  const { db } = bank
  owners = [await addPerson({ db }), await addPerson({ db })]
  operators = [await addPerson({ db }, { operator: true }), await addPerson({ db }, { operator: true })]
  businessId = await addBusiness({ db }, owners[0])
  await addMember({ db }, businessId, 'owner', owners[1])
  await giveBalance(db, businessId, { chain: 'ethereum', token: 'USDC' }, 1_000_000_000n)
  await followEthereum(db)
  // Of the partner, with a legal profile.
  rich = await bank.business(1_000_000_000n)
})
afterAll(() => bank?.close())
afterEach(async () => {
  await acknowledge(bank.db)
  bank.standIn.mode = 'ok'
})
let rich: string

interface Case {
  /** An outflow that the way may end now. */
  make(): Promise<string>
  end(id: string): Promise<unknown>
}

const none = async () => {}
const read = (id: string) => bank.read(id)
const move = (id: string, ...changes: OutflowChange[]) =>
  bank.db.tx(async (tx) => {
    for (const change of changes) {
      const now = await lockOutflow(tx, id)
      if (now) await moveOutflow(bank.ctx, tx, now, change)
    }
  })
async function step(id: string): Promise<void> {
  await bank.db.query('update outflows set next_at = now() where id = $1', [id])
  await stepOutflow(bank.ctx, id)
}
const pay = async (more: Parameters<typeof makePayout>[3] = {}) =>
  makePayout(bank.db, businessId, await makeDestination(bank.db, businessId), more)
const askOwner = () => pay({ status: 'awaiting_approval', askedByAccount: owners[0].id })
const toBank = async (accountNumber?: string) =>
  (await bank.make(rich, accountNumber === undefined ? {} : { accountNumber })).id
const claimed = async () => (await makeRefund(bank.db, businessId)).refund
const stopped = (release: Release) => async (id: string) => {
  await bank.db.query('update outflows set next_at = now() where id = $1', [id])
  await stopOutflow(bank.ctx, await read(id), { reason: release, nextInMs: 0, ends: release })
}
const refundOf = async (id: string) => (await read(id)).sessionId ?? ''

/** With an intent that has failed for good. */
async function failedOnChain(): Promise<string> {
  const id = await pay()
  const { wallet } = await read(id)
  const token = bank.ctx.chains[0]?.tokens.find(({ symbol }) => symbol === 'USDC') ?? null
  const action = intentOf({
    from: `0x${'11'.repeat(20)}`,
    to: wallet?.address ?? '',
    token,
    amount: wallet?.amount ?? 0n,
  })
  const wanted = {
    businessId: null,
    purpose: 'payout',
    chain: 'ethereum',
    signer: 'treasury',
    walletId: null,
    action,
  } as const
  const intent = await bank.db.tx((tx) =>
    insertIntent(
      { purposes: [outflowPurpose] },
      tx,
      { ...wanted, symbol: 'USDC', decimals: 6 },
      0,
      provers.worker,
    ),
  )
  await bank.db.query(
    "update intents set status = 'failed', reason = 'reverted', next_reconcile_at = null where id = $1",
    [intent.id],
  )
  await move(id, { status: 'processing', intentId: intent.id, nextInMs: 0 })
  return id
}

async function refuseApproval(id: string): Promise<void> {
  const [approval] = await bank.db.query<{ id: string }>('select id from approvals where subject_id = $1', [
    id,
  ])
  const deciding = {
    db: bank.db,
    prover: provers.api,
    decided: { payout: decidedOutflow(bank.ctx, undefined) },
  }
  const what = { businessId, id: approval?.id ?? '', accountId: owners[1].id, decision: 'refused' } as const
  await decideApproval(deciding, systemActor('test'), what)
}

/** The automatic payout of a session whose payment a fork takes away. */
async function reversed(): Promise<string> {
  const { db } = bank
  const shop = await addBusiness({ db }, owners[0])
  await makeAutopayout(db, shop, { chain: 'ethereum', address: `0x${'22'.repeat(20)}` })
  const session = await makeSession(db, shop, 5_000_000n)
  const payment = await makePayment(db, session, { amount: 5_000_000n })
  await settleMade(db, session.id)
  await takeAway(db, payment)
  const [payout] = await db.query<{ id: string }>('select id from outflows where session_id = $1', [
    session.id,
  ])
  return payout?.id ?? ''
}

const cases: Readonly<Record<Release, Case>> = {
  cancelled: { make: pay, end: (id) => cancelPayout(bank.ctx as never, businessId, id, none) },
  paid_elsewhere: {
    make: pay,
    end: async (id) =>
      markPayoutPaid(
        bank.ctx as never,
        businessId,
        id,
        { revision: (await read(id)).revision, proof: 'Receipt' },
        none,
      ),
  },
  refund_cancelled: {
    make: claimed,
    end: async (id) => cancelRefund(bank.ctx, businessId, await refundOf(id), id, none),
  },
  approval_refused: { make: askOwner, end: refuseApproval },
  approval_over: {
    async make() {
      const id = await askOwner()
      await bank.db.query('update approvals set expires_at = now() where subject_id = $1', [id])
      return id
    },
    end: step,
  },
  claim_expired: {
    async make() {
      const id = await claimed()
      await bank.db.query('update refunds set claim_expires_at = now() where outflow_id = $1', [id])
      return id
    },
    end: step,
  },
  payment_reversed: {
    make: reversed,
    end: async (id) => settleMade(bank.db, (await read(id)).sessionId ?? ''),
  },
  destination_archived: {
    async make() {
      const id = await pay()
      await bank.db.query('update payout_destinations set archived_at = now() where id = $1', [
        (await read(id)).destinationId,
      ])
      return id
    },
    end: step,
  },
  destination_unproven: { make: pay, end: stopped('destination_unproven') },
  screening_denied: { make: pay, end: stopped('screening_denied') },
  refused_by_worker: {
    make: pay,
    async end(id) {
      await bank.db.query('update outflows set next_at = now() where id = $1', [id])
      await refuseOutflow(bank.ctx, await read(id), 'its proof is wrong')
    },
  },
  amount_too_small: { make: toBank, end: stopped('amount_too_small') },
  partner_refused: {
    async make() {
      const id = await toBank()
      await move(id, { status: 'processing', submittedAt: new Date(), nextInMs: 0 })
      return id
    },
    end: async (id) =>
      afterRefusedSubmit(
        bank.ctx as never,
        await read(id),
        new PartnerError('refused', 'no', { partnerCode: 'InvalidBankDetails' }),
      ),
  },
  partner_failed: {
    async make() {
      const id = await toBank('0000000000')
      await step(id)
      expect(await read(id)).toMatchObject({ status: 'processing' })
      bank.standIn.move(60_000)
      return id
    },
    end: step,
  },
  chain_failed: { make: failedOnChain, end: step },
  taken_back: {
    async make() {
      const id = await failedOnChain()
      await move(id, { status: 'completed', nextInMs: 0 })
      return id
    },
    end: step,
  },
  operators_failed: {
    async make() {
      const id = await pay()
      await move(id, { status: 'processing', nextInMs: 0 }, { status: 'unknown', nextInMs: 0 })
      return id
    },
    async end(id) {
      const wanted = { status: 'failed', revision: (await read(id)).revision, evidence: 'a letter' } as const
      const [ada, ben] = operators
      const proposal = await proposeEnd(bank.ctx, systemActor('test'), id, wanted, ada.email)
      return decideEnd(bank.ctx, systemActor('test'), proposal, 'approved', ben.email)
    },
  },
}

const standing = async (id: string) => {
  const owner = (await read(id)).businessId ?? ''
  return Promise.all(
    (['available', 'payouts_held', 'receivable'] as const).map((name) =>
      balanceOf(bank.db, { name, businessId: owner, asset: usdc }),
    ),
  )
}
/** What is held, or was posted: taken from the business. */
const isTaken = async (id: string) => !['failed', 'cancelled'].includes((await read(id)).status)

const ways = Object.entries(releases) as [Release, Way][]

test.each(ways)('%s gives the money back, once', async (name, way) => {
  const id = await cases[name].make()
  const { status, amount } = await read(id)
  expect(way.from).toContain(status)
  const [available, held, owed] = await standing(id)
  await cases[name].end(id)
  const after = await read(id)
  expect([after.status, after.nextAt]).toEqual([way.to, after.byHand ? expect.any(String) : null])
  if (name === 'payment_reversed') return expect(await standing(id)).toEqual([0n, 0n, 0n])
  expect(await standing(id)).toEqual([
    (available ?? 0n) + amount,
    status === 'completed' ? held : (held ?? 0n) - amount,
    owed,
  ])
  expect(after.paidElsewhere).toBe(name === 'paid_elsewhere' ? 'Receipt' : null)
})

test.each(ways)(
  '%s gives nothing back while the database is restored, and does when that is settled',
  async (name, way) => {
    const id = await cases[name].make()
    const before = await standing(id)
    await restore(bank.db)
    const result = await Promise.resolve(cases[name].end(id)).catch((error: unknown) => error)
    expect(await isTaken(id)).toBe(true)
    if (name === 'payment_reversed') expect((await standing(id))[1]).toBe(before[1])
    else expect(await standing(id)).toEqual(before)
    if (way.whileRestored === 'refused')
      expect(result).toMatchObject({ status: 409, error: 'restore_unsettled' })
    else if (result !== undefined && result instanceof Error)
      expect(result).toBeInstanceOf(RestoreUnsettledError)
    if (cases[name].end === step) expect(result).toBeUndefined()
    if (way.whileRestored === 'waits') expect((await read(id)).nextAt).not.toBeNull()

    await acknowledge(bank.db)
    // A bank payout is queried at the partner first.
    if ((await read(id)).bank !== null && (await read(id)).status === 'pending') {
      await expect(Promise.resolve(cases[name].end(id))).rejects.toBeInstanceOf(RestoreUnsettledError)
      await step(id)
    }
    await cases[name].end(id)
    expect((await read(id)).status).toBe(way.to)
  },
)

test('an automatic payout whose payment was reversed while restored does not leave afterwards: its session is settled again', async () => {
  const id = await reversed()
  const { sessionId } = await read(id)
  await restore(bank.db)
  await settleMade(bank.db, sessionId ?? '')
  await step(id)
  expect(await read(id)).toMatchObject({ status: 'pending', reason: 'outgoing_restored', releaseWaits: true })
  await acknowledge(bank.db)
  await step(id)
  expect(await read(id)).toMatchObject({ status: 'pending', releaseWaits: true })
  const jobs = await bank.db.query(
    "select 1 from outbox where payload->>'sessionId' = $1 and payload->>'reason' = 'outflow'",
    [sessionId],
  )
  expect(jobs).toHaveLength(1)
  await settleMade(bank.db, sessionId ?? '')
  expect([await read(id), await standing(id)]).toMatchObject([
    { status: 'cancelled', releaseWaits: false },
    [0n, 0n, 0n],
  ])
})

test('one whose payment comes back is not held any more', async () => {
  const id = await reversed()
  const { sessionId } = await read(id)
  await restore(bank.db)
  await settleMade(bank.db, sessionId ?? '')
  await acknowledge(bank.db)
  const [payment] = await bank.db.query<{ id: string }>(
    'select detection_id as id from session_payments where session_id = $1',
    [sessionId],
  )
  await confirm(bank.db, payment?.id ?? '')
  await settleMade(bank.db, sessionId ?? '')
  expect(await read(id)).toMatchObject({ status: 'pending', releaseWaits: false })
})

test.each(['pending', 'awaiting_approval'] as const)(
  'a bank payout that the copy has as %s, and that left in the lost time, is found at the partner by its own id, and never given back',
  async (status) => {
    const id = await toBank()
    await step(id)
    expect(await read(id)).toMatchObject({ status: 'processing' })
    // The copy is from before.
    await bank.db.query(
      `update outflows set status = $2, partner_payment_id = null, partner_status = null, submitted_at = null, reason = null, next_at = now() where id = $1`,
      [id, status],
    )
    await bank.db.query('delete from partner_payment_states where sequence_id = $1', [id])
    const before = await standing(id)
    const cancel = () => cancelPayout(bank.ctx as never, rich, id, none)
    await restore(bank.db)
    await expect(cancel()).rejects.toMatchObject({ error: 'restore_unsettled' })
    await acknowledge(bank.db)
    await expect(cancel()).rejects.toMatchObject({ error: 'restore_unsettled' })
    bank.standIn.mode = 'down'
    await step(id)
    await expect(cancel()).rejects.toMatchObject({ error: 'restore_unsettled' })
    bank.standIn.mode = 'ok'
    await step(id)
    expect(await read(id)).toMatchObject({ status: 'unknown', reason: 'left_before_restore' })
    await expect(cancel()).rejects.toMatchObject({ error: 'payout_not_open' })
    expect(bank.alarms).toContain('contradiction')
    bank.standIn.move(60_000)
    for (let i = 0; i < 3; i++) await step(id)
    const { status: end } = await read(id)
    expect([end, await standing(id)]).toEqual([
      'completed',
      [before[0], (before[1] ?? 0n) - 10_000_000n, before[2]],
    ])
  },
)

test.each(['awaiting_claim', 'awaiting_approval', 'pending'] as const)(
  'a refund that is %s, and whose payment was reversed while restored, is cancelled by its worker afterwards',
  async (status) => {
    const id = await claimed()
    await bank.db.query(
      "update outflows set status = $2, to_chain = 'ethereum', to_token = 'USDC', to_address = '0x' || repeat('aa', 20), to_amount = amount where id = $1",
      [id, status],
    )
    const { sessionId } = await read(id)
    await restore(bank.db)
    await bank.db.query("update detections set status = 'reverted' where subject_id = $1", [sessionId])
    await settleMade(bank.db, sessionId ?? '')
    await step(id)
    expect((await read(id)).status).toBe(status)
    await acknowledge(bank.db)
    await step(id)
    expect(await read(id)).toMatchObject({ status: 'cancelled', reason: 'payment_reversed', nextAt: null })
    expect((await standing(id)).slice(1)).toEqual([0n, expect.any(BigInt)])
  },
)

/** Each way with each kind. What it does not end stays held, so these are last. */
const allKinds = ['payout', 'refund', 'suspense', 'top_up'] as const
const ofKinds = ways.flatMap(([name, way]) =>
  allKinds.flatMap((kind) =>
    way.from
      .filter((from) => from === 'pending' || from === 'processing')
      .map((from) => ({ name, way, kind, from })),
  ),
)

test.each(ofKinds)('$name of a $kind that is $from: as in the table', async ({ name, way, kind, from }) => {
  const owner = kind === 'suspense' || kind === 'top_up' ? null : businessId
  const taken = { token: 'USDC', amount: 1_000_000n, address: `0x${'56'.repeat(20)}` }
  const source =
    kind === 'suspense' ? await makeSource(bank.db, { ...taken, businessId: null, chain: 'ethereum' }) : null
  const [chain] = bank.ctx.chains
  if (!chain) throw new Error('no chain')
  const { id } = await storedOutflow(
    { db: bank.db, businessId, chain },
    { ...taken, kind, businessId: owner, ...(source && { paymentId: source.paymentId }) },
  )
  if (from !== 'pending') await move(id, { status: from, nextInMs: 0 })
  const held = () => balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })
  const before = await held()
  const moved = await move(id, { status: way.to as 'failed', release: name }).catch((error: unknown) => error)
  const isInTable = way.kinds.includes(kind)
  if (isInTable) expect(moved).toBeUndefined()
  else expect(moved).toMatchObject({ message: expect.stringContaining(`by ${name}`) })
  expect((await read(id)).status).toBe(isInTable ? way.to : from)
  expect(before - (await held())).toBe(isInTable && owner !== null ? taken.amount : 0n)
})
