import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfersWith, walletsWith } from '../../test/support/purposes.ts'
import type { IfNoTrustline } from '../chains/action.ts'
import { knownChain } from '../chains/registry.ts'
import {
  type ActionPlan,
  ActionRefusedError,
  type ActionSender,
  type Holdings,
  type Outcome,
  RecipientNotReadyError,
} from '../chains/sending.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { readAttempts, voidAttempts } from './attempts.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { giveUp } from './giveUp.ts'
import { type Intent, type IntentStop, insertIntent, readIntents } from './intents.ts'
import { reconcileIntent } from './reconcile.ts'
import { requestSignature } from './requestSignature.ts'
import { signPending } from './signPending.ts'
import { insertAttempt } from './storeSigned.ts'

/** Planning of a stored wallet's transfer; the chain's answers are scripted. */

let database: TestDatabase
let ids: { business: string; wallet: string }
let plan: () => Promise<ActionPlan>
let holdings: Holdings | null
let outcome: Outcome
let notified: string[]
let ctx: TxManagerContext
let chain: SendingChain

const terms = { gas: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1', l1Fee: '0' }
const sound: ActionPlan = { terms, fee: { expected: 1n, max: 2n }, otherCosts: 0n, shortages: [] }

beforeAll(async () => {
  database = await createTestDatabase()
  ids = { business: newId(), wallet: newId() }
  const key = newId()
  const { db } = database
  await insertBusiness(db, ids.business, 'sender')
  await db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [key],
  )
  await db.query(
    "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', '0x000000000000000000000000000000000000000a', '', 'private_key', $3, '')",
    [ids.wallet, ids.business, key],
  )
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('no ethereum')
  const sender = {
    plan: () => plan(),
    nextNonce: async () => 4n,
    holdings: async () => holdings,
    outcome: async () => outcome,
  } as unknown as ActionSender
  chain = { chain: ethereum, builder: await transferBuilder(ethereum), sender } as unknown as SendingChain
  ctx = {
    db,
    log: createLog('test', 'silent'),
    sendingChain: async () => chain,
    prover: provers.worker,
    purposes: transfersWith(async (_tx, row) => void notified.push(`${row.status}: ${row.reason}`)),
    reconcileMs: 1,
    bumpAfterMs: 1,
    unminableMs: 60_000,
    feeWaitMs: 3_600_000,
    settings: defaultSettings,
    environment: 'test',
    observe: () => {},
  }
})
afterAll(() => database?.drop())
beforeEach(() => {
  notified = []
  holdings = null
})

const queued = (): Promise<Intent> =>
  database.db.tx((tx) => {
    const transfer = {
      kind: 'transfer' as const,
      from: '0x000000000000000000000000000000000000000a',
      to: '0x000000000000000000000000000000000000000b',
      token: null,
      amount: 5n,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
    const wallet = {
      businessId: ids.business,
      purpose: 'transfer',
      chain: 'ethereum',
      signer: 'wallet',
      walletId: ids.wallet,
    } as const
    return insertIntent(
      ctx,
      tx,
      { ...wallet, action: transfer, symbol: 'ETH', decimals: 18 },
      1000,
      provers.api,
    )
  })
const stored = async ({ id }: Intent) => (await readIntents(database.db, 'id = $1', [id]))[0]

test('a transfer that can be made gets terms and a nonce, and waits for the treasury', async () => {
  plan = async () => sound
  const row = await queued()
  await requestSignature(ctx, chain, row)
  expect(await readAttempts(database.db, row.id)).toMatchObject([
    { number: 0, nonce: expect.any(BigInt), terms, sent: null, sends: 0 },
  ])
  expect([(await stored(row))?.status, notified]).toEqual(['created', []])
})

test.each([
  [
    'the sender lacks the coin',
    async () => ({
      ...sound,
      shortages: [
        {
          kind: 'native' as const,
          symbol: 'ETH',
          decimals: 18,
          required: 3n * 10n ** 18n,
          available: 10n ** 18n,
        },
      ],
    }),
    'insufficient_native_balance',
    'The sender lacks 2 ETH: 3 is needed, 1 is there',
  ],
  [
    'the chain would not carry it out',
    async () => {
      throw new ActionRefusedError('simulation_failed', 'the token is paused')
    },
    'simulation_failed',
    'the token is paused',
  ],
])(
  'where %s it fails, with the reason, and nothing is asked of the treasury',
  async (_what, answer, reason, message) => {
    plan = answer
    const row = await queued()
    await requestSignature(ctx, chain, row)
    expect(await stored(row)).toMatchObject({ status: 'failed', reason, message, settled: true })
    expect(await readAttempts(database.db, row.id)).toEqual([])
    expect(notified).toEqual([`failed: ${reason}`])
  },
)

test('where the fee may be more than the treasury signs it waits, and fails after its time; then nothing is asked of the treasury', async () => {
  plan = async () => ({ ...sound, terms: { ...terms, maxFeePerGas: '9000000000000' } })
  const { id } = await queued()
  const now = async () => {
    const [row] = await readIntents(database.db, 'id = $1', [id])
    if (!row) throw new Error('no intent')
    return row
  }
  await requestSignature(ctx, chain, await now())
  expect(await now()).toMatchObject({
    status: 'created',
    reason: null,
    feeWaitForMs: expect.any(Number),
    settled: false,
  })
  await database.db.query(
    `update intents set fee_waits_since = now() - ${ctx.feeWaitMs} * interval '1 millisecond' where id = $1`,
    [id],
  )
  await requestSignature(ctx, chain, await now())
  expect(await now()).toMatchObject({
    ...{
      status: 'failed',
      reason: 'fee_too_high',
      message: 'The fee may be 0.189 ETH; on ethereum 0.05 is allowed',
      settled: true,
    },
  })
  expect([await readAttempts(database.db, id), notified]).toEqual([[], ['failed: fee_too_high']])
})

test('a transfer fails without a nonce if its address cannot pay for it and for those that wait before it', async () => {
  plan = async () => sound
  const fee = 21_000n * 10n ** 9n
  const waiting = await database.db.query('select 1 from intent_nonces')
  const before = BigInt(waiting.length) * (fee + 5n)
  expect(before).toBeGreaterThan(0n)
  holdings = { used: 4n, native: before + fee + 4n, tokens: new Map() }
  const row = await queued()
  await requestSignature(ctx, chain, row)
  expect(await stored(row)).toMatchObject({
    status: 'failed',
    reason: 'insufficient_native_balance',
    settled: true,
  })
  expect([
    await readAttempts(database.db, row.id),
    await database.db.query('select 1 from intent_nonces'),
  ]).toEqual([[], waiting])
  holdings = { ...holdings, native: before + fee + 5n }
  const next = await queued()
  await requestSignature(ctx, chain, next)
  expect(await stored(next)).toMatchObject({ status: 'created', settled: false })
})

describe('while processes run', () => {
  const limits = (ceiling: bigint | null, budget: bigint | null) =>
    database.db.query(
      'insert into fee_limits (chain, ceiling, budget) values ($1, $2, $3) on conflict (chain) do update set ceiling = $2, budget = $3',
      ['ethereum', ceiling?.toString() ?? null, budget?.toString() ?? null],
    )
  beforeEach(() => {
    plan = async () => sound
  })
  afterEach(() => database.db.query('delete from fee_limits').then(() => {}))
  const fee = 21_000n * 10n ** 9n

  test('a lower ceiling holds from the next plan on; a higher one than that of the settings does not count', async () => {
    await limits(fee - 1n, null)
    const row = await queued()
    await requestSignature(ctx, chain, row)
    expect([await stored(row), await readAttempts(database.db, row.id)]).toMatchObject([
      { status: 'created', feeWaitForMs: expect.any(Number) },
      [],
    ])
    await requestSignature({ ...ctx, feeWaitMs: 0 }, chain, (await stored(row)) ?? row)
    expect(await stored(row)).toMatchObject({
      status: 'failed',
      reason: 'fee_too_high',
      message: 'The fee may be 0.000021 ETH; on ethereum 0.000020999999999999 is allowed',
    })
    await limits(10n ** 30n, null)
    plan = async () => ({ ...sound, terms: { ...terms, maxFeePerGas: '9000000000000' } })
    const dear = await queued()
    await requestSignature(ctx, chain, dear)
    await requestSignature({ ...ctx, feeWaitMs: 0 }, chain, (await stored(dear)) ?? dear)
    expect(await stored(dear)).toMatchObject({
      reason: 'fee_too_high',
      message: 'The fee may be 0.189 ETH; on ethereum 0.05 is allowed',
    })
  })

  test('a transfer beyond the budget waits without terms or a nonce, and is planned once there is room', async () => {
    const other = newId()
    await database.db.query(
      "insert into treasury_signatures (intent_id, chain, tx_id, max_fee) values ($1, 'ethereum', 'one', 5), ($1, 'ethereum', 'its bump', $2)",
      [other, fee.toString()],
    )
    await database.db.query(
      "insert into treasury_signatures (intent_id, chain, tx_id, max_fee, signed_at) values ($1, 'ethereum', 'two', 1e30, now() - interval '25 hours'), ($1, 'base', 'three', 1e30, now())",
      [newId()],
    )
    await limits(null, 2n * fee - 1n)
    const row = await queued()
    await requestSignature(ctx, chain, row)
    expect([await stored(row), await readAttempts(database.db, row.id)]).toMatchObject([
      { status: 'created', reason: null, settled: false },
      [],
    ])
    expect(await database.db.query('select 1 from intent_nonces where intent_id = $1', [row.id])).toEqual([])
    await limits(null, 2n * fee)
    await requestSignature(ctx, chain, row)
    expect(await readAttempts(database.db, row.id)).toMatchObject([{ number: 0, terms }])
  })
})

describe('a transfer that should be signed again, and was not', () => {
  // The treasury must not sign transfers of earlier tests.
  beforeEach(() =>
    database.db.query('update intent_attempts set void_at = now() where signed_at is null').then(() => {}),
  )

  const refused = () => Promise.reject(new ActionRefusedError('simulation_failed', 'the token is paused'))

  /** With a first attempt that was sent and given up. */
  async function resigned() {
    const row = await queued()
    const signed = { txId: `0x${newId()}`, bytes: Buffer.from(row.id), expiry: null }
    await database.db.tx(async (tx) => {
      await insertAttempt(ctx, tx, row, { nonce: 1n, terms, signed, sends: 1 })
      await voidAttempts(tx, row.id, [0], 'it can never be in a block')
      await tx.query('update intents set resigns = 1 where id = $1', [row.id])
    })
    outcome = { status: 'unminable', reason: 'expired', standing: 'final' }
    return { row, txId: signed.txId, reconcile: () => reconcile(row) }
  }
  async function reconcile({ id }: Intent) {
    await database.db.query(
      "update intents set next_reconcile_at = now() - interval '1 s' where id = $1 and next_reconcile_at is not null",
      [id],
    )
    await reconcileIntent(ctx, id)
  }
  const block = { blockHeight: 9, blockId: '0x9', standing: 'final', fee: 1n, gasUsed: 1n } as const
  const included = (id: string): Outcome => ({
    status: 'included',
    txId: id,
    succeeded: true,
    reason: null,
    ...block,
  })

  const ways: [string, string, (row: Intent) => Promise<unknown>][] = [
    [
      'because the chain would not carry it out',
      'simulation_failed',
      async (row) => {
        plan = refused
        await reconcile(row)
      },
    ],
    [
      'because the treasury refuses it',
      'policy',
      async (row) => {
        plan = async () => sound
        await reconcile(row)
        const signing = async () => ({ chain: { ...chain.chain, maxFee: 0n }, builder: chain.builder })
        const signers = walletsWith(() => Promise.reject(new Error('it needs no key')))
        await signPending({
          db: database.db,
          log: ctx.log,
          environment: 'test',
          proofs,
          signing,
          signers,
          purposes: ctx.purposes,
          signed: () => {},
        })
      },
    ],
    ['because the operator gave it up', 'given_up', (row) => database.db.tx((tx) => giveUp(ctx, tx, row.id))],
  ]

  const stopping = (stop: IntentStop): TxManagerContext => ({
    ...ctx,
    purposes: ctx.purposes.map((each) =>
      each.name === 'transfer' ? { ...each, stop: async () => stop } : each,
    ),
  })
  /** The treasury's record of the first attempt. */
  const recorded = (row: Intent, txId: string) =>
    database.db.query(
      "insert into treasury_signatures (intent_id, chain, tx_id, max_fee) values ($1, 'ethereum', $2, 1)",
      [row.id, txId],
    )

  test('waits while its cause stops it, is requested once it may leave, and fails where its cause ends it', async () => {
    plan = async () => sound
    const { row, txId } = await resigned()
    await recorded(row, txId)
    const waits = stopping({ reason: 'payout_limit', ends: false })
    expect(await requestSignature(waits, chain, (await stored(row)) ?? row)).toBe('waits')
    expect([await stored(row), notified]).toMatchObject([
      { status: 'created', reason: null, settled: false },
      [],
    ])
    // The limit falls while the chain is read.
    let asked = 0
    const late = {
      ...waits,
      purposes: waits.purposes.map((each) => ({
        ...each,
        stop: async () => (asked++ ? { reason: 'payout_limit', ends: false } : null),
      })),
    }
    await requestSignature(late, chain, (await stored(row)) ?? row)
    expect([asked, await stored(row), notified]).toMatchObject([2, { status: 'created', settled: false }, []])
    expect((await readAttempts(database.db, row.id)).filter(({ isVoid }) => !isVoid)).toEqual([])
    await requestSignature(ctx, chain, (await stored(row)) ?? row)
    expect((await readAttempts(database.db, row.id)).filter(({ isVoid }) => !isVoid)).toMatchObject([
      { number: 1, sent: null },
    ])
    const other = await resigned()
    await recorded(other.row, other.txId)
    await requestSignature(
      stopping({ reason: 'payment_reversed', ends: true }),
      chain,
      (await stored(other.row)) ?? other.row,
    )
    expect(notified).toEqual(['failed: stopped'])
  })

  test('one that was never signed fails while its cause stops it, so that its cause takes it back', async () => {
    const row = await queued()
    await requestSignature(stopping({ reason: 'payout_limit', ends: false }), chain, row)
    expect(await stored(row)).toMatchObject({
      status: 'failed',
      reason: 'stopped',
      message: 'payout_limit',
      settled: true,
    })
  })

  test.each(ways)(
    '%s has failed, and is confirmed if the first attempt is mined all the same',
    async (_why, reason, fails) => {
      const one = await resigned()
      await fails(one.row)
      const failed = await stored(one.row)
      expect(failed).toMatchObject({ status: 'failed', reason, settled: false })
      outcome = { status: 'absent' }
      await one.reconcile()
      expect(await stored(one.row)).toMatchObject({
        status: 'failed',
        reason,
        message: failed?.message,
        settled: false,
      })
      outcome = included(one.txId)
      await one.reconcile()
      expect(await stored(one.row)).toMatchObject({
        status: 'confirmed',
        reason: null,
        message: null,
        txId: one.txId,
        settled: true,
      })
      expect(notified).toEqual([`failed: ${reason}`, 'confirmed: null'])
    },
  )

  test.each(ways)(
    '%s is reconciled until nodes have reported the first attempt as unminable for a minute',
    async (_why, reason, fails) => {
      const one = await resigned()
      await fails(one.row)
      await database.db.query("update intents set created_at = now() - interval '3 days' where id = $1", [
        one.row.id,
      ])
      outcome = { status: 'absent' }
      await one.reconcile()
      outcome = { status: 'unminable', reason: 'expired', standing: 'final' }
      await one.reconcile()
      expect(await stored(one.row)).toMatchObject({ status: 'failed', reason, settled: false })
      await database.db.query(
        "update intents set unminable_since = unminable_since - interval '61 seconds' where id = $1",
        [one.row.id],
      )
      await one.reconcile()
      expect(await stored(one.row)).toMatchObject({ status: 'failed', reason, settled: true })
      expect(notified).toEqual([`failed: ${reason}`])
    },
  )
})

describe('a transfer that may wait for its recipient', () => {
  const refusal = new ActionRefusedError(
    'recipient_without_trustline',
    'The recipient has no trustline for USDC',
    'toAddress',
  )
  const notReady = async () => {
    throw new RecipientNotReadyError(refusal, sound)
  }
  const waiting = {
    status: 'created',
    reason: 'waiting_for_trustline',
    message: refusal.message,
    settled: false,
  }
  const over = (row: Intent) =>
    database.db.query("update intents set wait_until = now() - interval '1 s' where id = $1", [row.id])
  const reconcile = async ({ id }: Intent) => {
    await database.db.query(
      "update intents set next_reconcile_at = now() - interval '1 s' where id = $1 and next_reconcile_at is not null",
      [id],
    )
    await reconcileIntent(ctx, id)
  }

  /** The chain's answers are scripted, so its chain is as good as another. */
  async function asked(
    ifNoTrustline: IfNoTrustline = { kind: 'wait', until: new Date(Date.now() + 60_000) },
  ): Promise<Intent> {
    const row = await queued()
    const until = ifNoTrustline.kind === 'wait' ? ifNoTrustline.until : null
    await database.db.query(
      "update intents set contract = '0xc', if_no_trustline = $2, wait_until = $3 where id = $1",
      [row.id, ifNoTrustline.kind, until],
    )
    return (await stored(row)) ?? row
  }

  test('waits, shows it, and is planned when the recipient is ready', async () => {
    const row = await asked()
    plan = notReady
    for (let times = 0; times < 3; times++) {
      await reconcile(row)
      expect(await stored(row)).toMatchObject(waiting)
      expect(await readAttempts(database.db, row.id)).toEqual([])
    }
    plan = async () => sound
    await reconcile(row)
    expect(await readAttempts(database.db, row.id)).toHaveLength(1)
    expect(notified).toEqual([])
  })

  test('fails at its end, and is not sent even if the recipient is ready by then', async () => {
    const row = await asked()
    plan = notReady
    await reconcile(row)
    await over(row)
    plan = async () => sound
    await reconcile(row)
    expect(await stored(row)).toMatchObject({
      status: 'failed',
      reason: 'recipient_without_trustline',
      message: refusal.message,
      settled: true,
    })
    expect(await readAttempts(database.db, row.id)).toEqual([])
    expect(notified).toEqual(['failed: recipient_without_trustline'])
  })

  test('does not wait for any other cause, nor without a request to wait', async () => {
    for (const [row, refused] of [
      [await asked(), new ActionRefusedError('simulation_failed', 'no')],
      [await asked({ kind: 'claimable' }), new RecipientNotReadyError(refusal, sound)],
      [await queued(), new RecipientNotReadyError(refusal, sound)],
    ] as const) {
      plan = async () => {
        throw refused
      }
      await reconcile(row)
      expect(await stored(row)).toMatchObject({ status: 'failed', reason: refused.reason })
    }
  })
})
