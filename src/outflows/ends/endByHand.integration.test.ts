import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type BankPayouts, openBankPayouts, usdc } from '../../../test/support/bankPayouts.ts'
import { runScript } from '../../../test/support/command.ts'
import { addPerson, type Person } from '../../../test/support/dashboardSession.ts'
import { addressOf, intentOf, keyOf } from '../../../test/support/evmIntents.ts'
import { provers } from '../../../test/support/intentKeys.ts'
import { storedOutflow } from '../../../test/support/paying.ts'
import { appKey } from '../../../test/support/template.ts'
import { systemActor } from '../../audit/recordAudit.ts'
import { knownChain } from '../../chains/registry.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import { insertIntent } from '../../txmgr/intents.ts'
import { moveOutflow } from '../moveOutflow.ts'
import { lockOutflow, type Outflow } from '../outflow.ts'
import { createOutflowMetrics } from '../outflowMetrics.ts'
import { outflowPurpose } from '../outflowPurpose.ts'
import { decideEnd } from './decideEnd.ts'
import type { WantedEnd } from './handEvidence.ts'
import { proposeEnd } from './proposeEnd.ts'

/** Outflows that neither chain nor partner ends, ended by an operator, and followed afterwards. */

let bank: BankPayouts
let businessId: string
let seen: string[] = []
let operators: [Person, Person]
beforeAll(async () => {
  bank = await openBankPayouts()
  businessId = await bank.business(1_000_000_000n)
  bank.ctx.observe = (step) => void seen.push(step)
  operators = [await addPerson(bank, { operator: true }), await addPerson(bank, { operator: true })]
})
afterAll(() => bank?.close())
beforeEach(() => {
  seen = []
  Object.assign(bank.standIn, { mode: 'ok', lose: null, lie: null })
})

const [treasury] = [addressOf(keyOf(1))]
let numbers = 0
const txOf = (number = ++numbers) => `0x${number.toString(16).padStart(64, '0')}`
const money = async () =>
  Promise.all(
    (['available', 'payouts_held'] as const).map((name) =>
      balanceOf(bank.db, { name, businessId, asset: usdc }),
    ),
  )
const sent = async ({ id }: Outflow) =>
  bank.standIn.payments.all().filter(({ sequenceId }) => sequenceId === id)
const evidence = 'mail of the partner of 26 November, case 123'
type Wanted = Partial<WantedEnd> & Pick<WantedEnd, 'status'>
const actor = systemActor('test')
const propose = async ({ id }: Pick<Outflow, 'id'>, wanted: Wanted, by = operators[0]) =>
  proposeEnd(bank.ctx, actor, id, { revision: (await bank.read(id)).revision, evidence, ...wanted }, by.email)
const decide = (proposal: string, decision: 'approved' | 'refused' = 'approved', by = operators[1]) =>
  decideEnd(bank.ctx, actor, proposal, decision, by.email)
/** By both operators. */
async function end(outflow: Pick<Outflow, 'id'>, wanted: Wanted): Promise<Outflow> {
  const ended = await decide(await propose(outflow, wanted))
  if (!ended) throw new Error('it was refused')
  return ended
}
const both = () => `${operators[0].email}, ${operators[1].email}`
const auditOf = ({ id }: Outflow) =>
  bank.db.query<{ after: object }>(
    "select before, after, actor_label as by from audit_log where target = $1 and action = 'outflow.ended_by_hand'",
    [id],
  )

/** The partner has the payment or not, and does not report it. */
async function unknownAtBank(lose: 'answer' | 'request' = 'answer'): Promise<Outflow> {
  const { id } = await bank.make(businessId)
  bank.standIn.lose = lose
  await bank.stepAll()
  bank.standIn.mode = 'down'
  const outflow = await bank.read(id)
  expect(outflow).toMatchObject({ status: 'unknown', reason: 'outcome_unknown' })
  return outflow
}

interface OnChain {
  status?: string
  settled?: boolean
  attempt?: string
}

/** To a wallet, with an intent in some state. */
async function toWallet({ status = 'expired', settled = true, attempt }: OnChain = {}): Promise<Outflow> {
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('no chain')
  const address = addressOf(keyOf(100 + ++numbers))
  const outflow = await storedOutflow(
    { db: bank.db, businessId, chain },
    { token: 'USDC', amount: 10_000_000n, address },
  )
  const [token] = chain.tokens.filter(({ symbol }) => symbol === 'USDC')
  const action = intentOf({ from: treasury, to: address, token: token ?? null, amount: 10_000_000n })
  const wanted = {
    businessId: null,
    purpose: 'payout',
    chain: 'ethereum',
    signer: 'treasury',
    walletId: null,
    action,
    symbol: 'USDC',
    decimals: 6,
  } as const
  await bank.db.tx(async (tx) => {
    const intent = await insertIntent({ purposes: [outflowPurpose] }, tx, wanted, 0, provers.worker)
    const now = await lockOutflow(tx, outflow.id)
    if (now) await moveOutflow(bank.ctx, tx, now, { status: 'processing', intentId: intent.id, nextInMs: 0 })
    if (attempt)
      await tx.query(
        "insert into intent_attempts (intent_id, number, chain, nonce, tx_id, signed_at, bytes, terms, sends) values ($1, 0, 'ethereum', 7, $2, now(), 'x'::bytea, '{}', 1)",
        [intent.id, attempt],
      )
    await setIntent(intent.id, status, settled, attempt ?? null)
    async function setIntent(...values: unknown[]) {
      await tx.query(
        `update intents set status = $2, reason = case when $2 = 'expired' then 'sequence_used' end, tx_id = $4,
           next_reconcile_at = case when $3 then null else now() + interval '1 hour' end where id = $1`,
        values,
      )
    }
  })
  return bank.read(outflow.id)
}
const says = (outflow: Outflow, status: string, txId: string | null) =>
  bank.db.query('update intents set status = $2, tx_id = $3, next_reconcile_at = null where id = $1', [
    outflow.intentId,
    status,
    txId,
  ])

describe('a bank payout', () => {
  test('that was paid: booked with its cost, audited with operator and evidence, and at rest once the partner agrees', async () => {
    const outflow = await unknownAtBank()
    const [payment] = await sent(outflow)
    const cost = ((payment?.usd ?? 0n) + (payment?.feeUsd ?? 0n)) * 10_000n
    const [before] = await money()
    const done = await end(outflow, { status: 'completed', partnerPaymentId: payment?.id, partnerCost: cost })
    expect(done).toMatchObject({
      status: 'completed',
      partnerPaymentId: payment?.id,
      partnerCost: cost,
      byHand: { by: both(), evidence },
    })
    expect(await money()).toEqual([before, 0n])
    expect(await balanceOf(bank.db, { name: 'partner:yellowcard', businessId: null, asset: 'USD' })).toBe(
      -cost,
    )
    expect(await auditOf(outflow)).toEqual([
      {
        by: 'test',
        before: { status: 'unknown', reason: 'outcome_unknown' },
        after: {
          status: 'completed',
          proposer: operators[0].email,
          approver: operators[1].email,
          evidence,
          partnerPaymentId: payment?.id,
          partnerCost: String(cost),
        },
      },
    ])
    bank.standIn.mode = 'ok'
    await bank.stepAll()
    expect(await bank.read(done.id)).toMatchObject({ status: 'completed', nextAt: expect.any(String) })
    bank.standIn.move(60_000)
    await bank.stepAll()
    expect(await bank.read(done.id)).toMatchObject({
      status: 'completed',
      nextAt: null,
      contradictedAt: null,
    })
    expect(seen).not.toContain('contradicted')
  })

  test('that was not: its money is back, once; that the partner pays it after all is an alarm and moves nothing', async () => {
    const outflow = await unknownAtBank()
    const [before] = await money()
    expect(await end(outflow, { status: 'failed' })).toMatchObject({
      status: 'failed',
      reason: 'ended_by_operator',
    })
    const after = await money()
    expect(after).toEqual([(before ?? 0n) + 10_000_000n, 0n])
    const events = await bank.db.query(
      "select type from events where type in ('payout.failed', 'payout.completed') and data->>'id' = $1",
      [outflow.id],
    )
    expect(events).toEqual([{ type: 'payout.failed' }])
    bank.standIn.mode = 'ok'
    bank.standIn.move(60_000)
    for (let i = 0; i < 3; i++) await bank.stepAll()
    expect(await bank.read(outflow.id)).toMatchObject({
      status: 'failed',
      contradictedAt: expect.any(Date),
      nextAt: null,
    })
    expect(seen.filter((step) => step === 'contradicted')).toHaveLength(1)
    expect(await money()).toEqual(after)
  })

  test('that failed at the partner after it was ended as paid is an alarm and moves nothing', async () => {
    const { id } = await bank.make(businessId, { accountNumber: '0000000000' })
    bank.standIn.lose = 'answer'
    await bank.stepAll()
    const [payment] = bank.standIn.payments.all().filter(({ sequenceId }) => sequenceId === id)
    await end({ id }, { status: 'completed', partnerPaymentId: payment?.id, partnerCost: 1n })
    const after = await money()
    bank.standIn.move(60_000)
    for (let i = 0; i < 2; i++) await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({
      status: 'completed',
      contradictedAt: expect.any(Date),
      nextAt: null,
    })
    expect([seen.filter((step) => step === 'contradicted'), await money()]).toEqual([['contradicted'], after])
  })

  test('no code moves one that was ended by hand', async () => {
    const outflow = await unknownAtBank('request')
    await end(outflow, { status: 'completed', partnerPaymentId: 'by-phone', partnerCost: 1n })
    const move = bank.db.tx(async (tx) => {
      const now = await lockOutflow(tx, outflow.id)
      if (now)
        await moveOutflow(bank.ctx, tx, now, {
          status: 'failed',
          release: 'taken_back',
          reason: 'taken_back',
        })
    })
    await expect(move).rejects.toThrow('was ended by hand')
  })

  const wrong: [string, Wanted, object][] = [
    [
      'paid, without a payment',
      { status: 'completed', partnerCost: 1n },
      { fields: [{ field: 'payment', message: expect.stringContaining('required') }] },
    ],
    [
      'paid, with no id of a payment',
      { status: 'completed', partnerPaymentId: 'a b', partnerCost: 1n },
      { fields: [{ field: 'payment' }] },
    ],
    [
      'paid, without its cost',
      { status: 'completed', partnerPaymentId: 'one' },
      { fields: [{ field: 'cost' }] },
    ],
    [
      'paid for nothing',
      { status: 'completed', partnerPaymentId: 'one', partnerCost: 0n },
      { fields: [{ field: 'cost' }] },
    ],
    [
      'paid by a transaction',
      { status: 'completed', partnerPaymentId: 'one', partnerCost: 1n, txId: txOf() },
      { fields: [{ field: 'tx' }] },
    ],
    [
      'failed, with a payment',
      { status: 'failed', partnerPaymentId: 'one' },
      { fields: [{ field: 'payment' }] },
    ],
    ['of another revision', { status: 'failed', revision: 1 }, { error: 'revision_outdated' }],
  ]
  test('is refused where the end is not whole, and nothing changes', async () => {
    const outflow = await unknownAtBank('request')
    for (const [what, wanted, refusal] of wrong) {
      const error = await end(outflow, wanted).catch((refused: unknown) => refused)
      expect([what, error]).toEqual([
        what,
        expect.objectContaining('fields' in refusal ? { status: 400 } : refusal),
      ])
      if ('fields' in refusal) expect(error).toMatchObject(refusal)
    }
    expect([await bank.read(outflow.id), await auditOf(outflow)]).toEqual([outflow, []])
    const paid = await bank.make(businessId)
    bank.standIn.mode = 'ok'
    await bank.stepAll()
    const [payment] = await sent(paid)
    const taken = end(outflow, { status: 'completed', partnerPaymentId: payment?.id, partnerCost: 1n })
    await expect(taken).rejects.toMatchObject({ error: 'evidence_taken' })
  })

  test.each(['pending', 'processing', 'completed', 'failed', 'cancelled'])(
    'one that is %s is refused',
    async (status) => {
      const { id } = await bank.make(businessId)
      await bank.db.query(
        `update outflows set status = $2, completed_at = case when $2 = 'completed' then now() end, next_at = null where id = $1`,
        [id, status],
      )
      await expect(end({ id }, { status: 'failed' })).rejects.toMatchObject({
        error: 'outflow_not_unknown',
        message: expect.stringContaining(status),
      })
    },
  )

  test('of a partner that the deployment does not have any more is unknown, and goes on when it has it again', async () => {
    const { id } = await bank.make(businessId)
    await bank.stepAll()
    const { partner } = bank.ctx
    bank.ctx.partner = null
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({ status: 'unknown', reason: 'partner_unavailable' })
    bank.ctx.partner = partner
    await bank.stepAll()
    expect(await bank.read(id)).toMatchObject({ status: 'processing', reason: null })
  })
})

describe('a payout to a wallet', () => {
  test('whose transaction can never come stays in sight: it is stepped again, and counted', async () => {
    const outflow = await toWallet()
    for (let i = 0; i < 2; i++) await bank.stepAll()
    expect(await bank.read(outflow.id)).toMatchObject({
      status: 'unknown',
      reason: 'sequence_used',
      nextAt: expect.any(String),
    })
    const metrics = createMetrics('worker')
    createOutflowMetrics(metrics, bank.db, [])
    const text = await metrics.exposition()
    expect(text).toMatch(/cowry_payouts_unknown\{[^}]*leg="wallet"[^}]*\} [1-9]/)
    expect(text).toMatch(/cowry_payouts_unknown_age_seconds\{[^}]*leg="wallet"[^}]*\} \d/)
  })

  test('on a chain that the deployment does not have any more is unknown', async () => {
    const outflow = await toWallet({ status: 'broadcast', settled: false, attempt: txOf() })
    const chains = bank.ctx.chains
    bank.ctx.chains = []
    await bank.stepAll()
    bank.ctx.chains = chains
    expect(await bank.read(outflow.id)).toMatchObject({ status: 'unknown', reason: 'chain_unavailable' })
    await bank.stepAll()
    expect(await bank.read(outflow.id)).toMatchObject({ status: 'processing', reason: null })
  })

  test('that another transaction paid is completed with it, and shows it', async () => {
    const [outflow, txId] = [await toWallet(), txOf()]
    await bank.stepAll()
    const [before, held] = await money()
    expect(
      await end(outflow, { status: 'completed', txId: txId.toUpperCase().replace('0X', '0x') }),
    ).toMatchObject({ byHand: { txId } })
    expect(await money()).toEqual([before, (held ?? 0n) - 10_000_000n])
    await bank.stepAll()
    expect(await bank.read(outflow.id)).toMatchObject({
      status: 'completed',
      nextAt: null,
      contradictedAt: null,
    })
    const [event] = await bank.db.query(
      "select data->>'txHash' as tx from events where type = 'payout.completed' and data->>'id' = $1",
      [outflow.id],
    )
    expect(event).toEqual({ tx: txId })
  })

  test.each(['completed', 'failed'] as const)(
    'ended as %s, and paid by the chain later: an alarm, and no entry',
    async (status) => {
      const outflow = await toWallet()
      await bank.stepAll()
      await end(outflow, { status, ...(status === 'completed' && { txId: txOf() }) })
      const after = await money()
      await says(outflow, 'confirmed', txOf())
      await bank.db.query('update outflows set next_at = now() where id = $1', [outflow.id])
      await bank.stepAll()
      expect(await bank.read(outflow.id)).toMatchObject({
        status,
        contradictedAt: expect.any(Date),
        nextAt: null,
      })
      expect([seen.includes('contradicted'), await money()]).toEqual([true, after])
    },
  )

  test('whose own transaction the operator names may be open; that it failed later is an alarm', async () => {
    const txId = txOf()
    const outflow = await toWallet({ status: 'unknown', settled: false, attempt: txId })
    await bank.db.query("update intents set updated_at = now() - interval '1 hour' where id = $1", [
      outflow.intentId,
    ])
    await bank.stepAll()
    for (const wanted of [{ status: 'failed' }, { status: 'completed', txId: txOf() }] as const)
      await expect(end(outflow, wanted)).rejects.toMatchObject({ error: 'transaction_open' })
    await end(outflow, { status: 'completed', txId })
    await bank.stepAll()
    expect(await bank.read(outflow.id)).toMatchObject({ contradictedAt: null, nextAt: expect.any(String) })
    await says(outflow, 'failed', txId)
    await bank.stepAll()
    expect(await bank.read(outflow.id)).toMatchObject({
      status: 'completed',
      contradictedAt: expect.any(Date),
      nextAt: null,
    })
  })

  test('is refused with no transaction, a malformed one, or one that made another payment', async () => {
    const [outflow, other] = [await toWallet(), await toWallet({ status: 'confirmed', attempt: txOf(4242) })]
    await bank.stepAll()
    expect(await bank.read(other.id)).toMatchObject({ status: 'completed' })
    const refusals = [
      {},
      { txId: '0x12' },
      { txId: txOf(4242) },
      { txId: txOf(), partnerPaymentId: 'one' },
    ].map((wanted) =>
      end(outflow, { status: 'completed', ...wanted }).catch(({ error }: { error: string }) => error),
    )
    expect(await Promise.all(refusals)).toEqual([
      'Invalid request body',
      'Invalid request body',
      'evidence_taken',
      'Invalid request body',
    ])
    expect(await bank.read(outflow.id)).toMatchObject({ status: 'unknown' })
  })
})

describe('npm run cowry -- payouts end', () => {
  const run = (...args: string[]) =>
    runScript('payouts', args, () => ({ DATABASE_URL: bank.databaseUrl, APP_KEY: appKey }))

  test('shows how, wants operator, evidence and the revision that was seen, and ends it when another operator approves', async () => {
    const outflow = await unknownAtBank('request')
    const { id, revision } = outflow
    const [ada, ben] = operators.map(({ email }) => email)
    const rest = ['--evidence', evidence, '--revision', String(revision)]
    const [shown, alone, stranger, proposed] = [
      await run('end', id),
      await run('end', id, 'failed', ...rest),
      await run('end', id, 'failed', '--operator', 'eve@example.com', ...rest),
      await run('end', id, 'failed', '--operator', ada ?? '', ...rest),
    ]
    expect(shown).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `end ${id} failed --operator <your email> --evidence <text> --revision ${revision}`,
      ),
    })
    expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('--operator') })
    expect(stranger).toMatchObject({
      code: 2,
      err: expect.stringContaining('eve@example.com is not an operator'),
    })
    const proposal = /approve-end (\S+) /.exec(proposed.out)?.[1] ?? ''
    expect(proposed).toMatchObject({ code: 0 })
    expect(await bank.read(id)).toMatchObject({ status: 'unknown', byHand: null })
    expect((await run('ends')).out).toContain(`${id}  failed  ${ada}  ${evidence}`)
    const [own, done] = [
      await run('approve-end', proposal, '--operator', ada ?? ''),
      await run('approve-end', proposal, '--operator', ben ?? ''),
    ]
    expect(own).toMatchObject({ code: 2, err: expect.stringContaining('Another operator must approve it') })
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`${id} is failed`) })
    expect(await bank.read(id)).toMatchObject({ status: 'failed', byHand: { by: both(), evidence } })
    expect(await auditOf(outflow)).toMatchObject([
      { by: 'cowry payouts', after: { proposer: ada, approver: ben, evidence } },
    ])
    expect((await run('ends')).out).toContain('0 proposed')
  })
})

describe('a proposed end', () => {
  test('changes nothing by itself, is audited, and is counted until it is decided', async () => {
    const outflow = await unknownAtBank('request')
    const before = await money()
    const proposal = await propose(outflow, { status: 'failed' })
    expect([await bank.read(outflow.id), await money()]).toEqual([outflow, before])
    const audited = await bank.db.query(
      "select after from audit_log where target = $1 and action = 'outflow.end_proposed'",
      [outflow.id],
    )
    expect(audited).toEqual([
      { after: { proposal, status: 'failed', proposer: operators[0].email, evidence } },
    ])
    const metrics = createMetrics('worker')
    createOutflowMetrics(metrics, bank.db, [])
    expect(await metrics.exposition()).toMatch(/cowry_outflow_ends_waiting(\{[^}]*\})? 1\n/)
    expect(await decide(proposal, 'refused')).toBeNull()
    await expect(decide(proposal)).rejects.toMatchObject({ error: 'end_decided' })
    expect(await bank.read(outflow.id)).toEqual(outflow)
  })

  test('is approved by another operator alone, in time, and only as it was seen', async () => {
    const outflow = await unknownAtBank('request')
    const proposal = await propose(outflow, { status: 'failed' })
    await expect(decide(proposal, 'approved', operators[0])).rejects.toMatchObject({ error: 'own_request' })
    await expect(decide(proposal, 'approved', await addPerson(bank))).rejects.toMatchObject({
      error: 'not_an_operator',
    })
    await expect(decide('018f0000-0000-7000-8000-000000000000')).rejects.toMatchObject({ status: 404 })
    await bank.db.query('update outflow_ends set expires_at = now() where id = $1', [proposal])
    await expect(decide(proposal)).rejects.toMatchObject({ error: 'end_expired' })

    const leaver = await addPerson(bank, { operator: true })
    const lonely = await propose(outflow, { status: 'failed' }, leaver)
    await bank.db.query('update accounts set operator = false where id = $1', [leaver.id])
    await expect(decide(lonely)).rejects.toMatchObject({ error: 'end_void' })

    const [one, other] = [
      await propose(outflow, { status: 'failed' }),
      await propose(outflow, { status: 'failed' }),
    ]
    await Promise.all([decide(one)])
    await expect(decide(other)).rejects.toMatchObject({ error: 'revision_outdated' })
    expect(await bank.read(outflow.id)).toMatchObject({ status: 'failed' })
  })

  test('by which the platform has paid credits its capital; only what has not left is ended so', async () => {
    const capital = () => balanceOf(bank.db, { name: 'capital', businessId: null, asset: usdc })
    const outflow = await bank.make(businessId)
    const [[available, held], before] = [await money(), await capital()]
    const paid = { status: 'completed', paidByPlatform: true } as const
    await expect(propose(outflow, { ...paid, status: 'failed' })).rejects.toMatchObject({
      fields: [{ field: 'elsewhere' }],
    })
    expect(await end(outflow, paid)).toMatchObject({
      status: 'completed',
      byHand: { by: both(), evidence },
      nextAt: null,
    })
    expect(await money()).toEqual([available, (held ?? 0n) - 10_000_000n])
    const { margin, fee, rounding, amount } = await bank.read(outflow.id)
    expect((await capital()) - before).toBe(amount - fee - margin - rounding)
    bank.standIn.mode = 'ok'
    await bank.stepAll()
    expect(await sent(outflow)).toEqual([])
    const left = await unknownAtBank()
    await expect(propose(left, paid)).rejects.toMatchObject({ error: 'outflow_not_open' })
    await end(left, { status: 'failed' })
  })
})

describe('after a restore', () => {
  const command = (script: string, ...args: string[]) =>
    runScript(script, args, () => ({ DATABASE_URL: bank.databaseUrl, APP_KEY: appKey }))

  test('nothing leaves to banks or wallets; what may have left is listed, what had left is ended with its transaction, and the rest leaves after it', async () => {
    const toBank = await bank.make(businessId)
    const chain = knownChain('ethereum')
    if (!chain) throw new Error('no chain')
    const waiting = await storedOutflow(
      { db: bank.db, businessId, chain },
      { token: 'USDC', amount: 10_000_000n, address: addressOf(keyOf(777)) },
    )
    const [created, signed] = [
      await toWallet({ status: 'created', settled: false }),
      await toWallet({ status: 'signed', settled: false, attempt: txOf() }),
    ]
    const declared = await command('custody', 'after-restore')
    expect(declared).toMatchObject({
      code: 0,
      out: expect.stringContaining('npm run cowry -- payouts restored'),
    })
    await bank.stepAll()
    for (const { id } of [toBank, waiting])
      expect(await bank.read(id)).toMatchObject({ status: 'pending', reason: 'outgoing_restored' })
    expect(await sent(toBank)).toEqual([])

    const listed = await command('payouts', 'restored')
    expect(listed.out).toContain('none of these leaves before npm run cowry -- intents reconciled')
    for (const out of [declared.out, listed.out]) {
      expect(out).toMatch(
        new RegExp(
          `${toBank.id}  \\S+Z  payout  business ${businessId}  10 USDC on ethereum  yellowcard NGN ${toBank.destinationId}  pending  `,
        ),
      )
      expect(out).toMatch(
        new RegExp(
          `${created.id} .*  0x[0-9a-fA-F]{40} on ethereum  processing  intent ${created.intentId} created without a transaction`,
        ),
      )
    }

    const givenUp = await command('intents', 'give-up', created.intentId ?? '')
    expect(givenUp).toMatchObject({ code: 2, err: expect.stringContaining('is of a payout') })
    const refusals: [Outflow, Wanted, string][] = [
      [waiting, { status: 'failed' }, 'outflow_not_unknown'],
      [toBank, { status: 'completed', partnerPaymentId: 'one', partnerCost: 1n }, 'outflow_not_unknown'],
      [signed, { status: 'completed', txId: txOf() }, 'transfer_not_held'],
    ]
    for (const [outflow, wanted, error] of refusals)
      await expect(end(outflow, wanted)).rejects.toMatchObject({ error })
    const before = await money()
    for (const outflow of [waiting, created]) await end(outflow, { status: 'completed', txId: txOf() })
    expect((await money())[1]).toBe((before[1] ?? 0n) - 20_000_000n)
    expect(
      await bank.db.query('select status, reason from intents where id = $1', [created.intentId]),
    ).toEqual([{ status: 'failed', reason: 'given_up' }])

    await bank.db.query(
      'insert into database_identity (identity) values (present_identity()) on conflict (one) do update set identity = excluded.identity',
    )
    await expect(end(signed, { status: 'completed', txId: txOf() })).rejects.toMatchObject({
      error: 'outflow_not_unknown',
    })
    for (let i = 0; i < 2; i++) await bank.stepAll()
    expect(await sent(toBank)).toHaveLength(1)
    for (const { id } of [waiting, created])
      expect(await bank.read(id)).toMatchObject({ status: 'completed', nextAt: null, contradictedAt: null })
  })

  test('one that starts between the checks and the submission to a bank keeps it from leaving too', async () => {
    const [outflow, { partner }] = [await bank.make(businessId), bank.ctx]
    if (!partner) throw new Error('no partner')
    const funds = async () => {
      await bank.db.query('delete from database_identity')
      return partner.funds()
    }
    bank.ctx.partner = { ...partner, funds }
    await bank.stepAll()
    bank.ctx.partner = partner
    expect([await bank.read(outflow.id), await sent(outflow)]).toEqual([
      expect.objectContaining({ status: 'pending', reason: 'outgoing_restored', submittedAt: null }),
      [],
    ])
    await bank.db.query('insert into database_identity (identity) values (present_identity())')
    // First the partner is queried for the payout.
    for (let i = 0; i < 2; i++) await bank.stepAll()
    expect(await sent(outflow)).toHaveLength(1)
  })
})
