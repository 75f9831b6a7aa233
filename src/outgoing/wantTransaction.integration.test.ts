import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { knownChain } from '../chains/registry.ts'
import { type Holdings, type Outcome, type TransferPlan, TransferRefused, type TransferSender } from '../chains/sending.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import type { OutgoingContext, SendingChain } from './context.ts'
import { giveUp } from './giveUp.ts'
import { lookAtOutgoing } from './look.ts'
import { insertOutgoing, insertTransaction, type Outgoing, readOutgoing, readTransactions, voidTransactions } from './outgoing.ts'
import { signWanted } from './signWanted.ts'
import { wantTransaction } from './wantTransaction.ts'

/** What becomes of a stored wallet's transfer when its turn comes; the chain's answer is a script. */

let database: TestDatabase
let ids: { business: string; wallet: string }
let plan: () => Promise<TransferPlan>
let holdings: Holdings | null
let outcome: Outcome
let told: string[]
let ctx: OutgoingContext
let chain: SendingChain

const terms = { gas: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1', l1Fee: '0' }
const sound: TransferPlan = { terms, fee: { expected: 1n, max: 2n }, besides: 0n, shortages: [] }

beforeAll(async () => {
  database = await createTestDatabase()
  ids = { business: newId(), wallet: newId() }
  const key = newId()
  const { db } = database
  await db.query("insert into businesses (id, name) values ($1, 'sender')", [ids.business])
  await db.query("insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())", [key])
  await db.query(
    "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', '0xa', '', 'private_key', $3, '')",
    [ids.wallet, ids.business, key],
  )
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('no ethereum')
  const sender = {
    plan: () => plan(),
    nextSequence: async () => 4n,
    holdings: async () => holdings,
    outcome: async () => outcome,
  } as unknown as TransferSender
  chain = { chain: ethereum, builder: await transferBuilder(ethereum), sender } as unknown as SendingChain
  ctx = {
    db,
    log: createLog('test', 'silent'),
    sendingChain: async () => chain,
    prover: provers.worker,
    onChange: { transfer: async (_tx, row) => void told.push(`${row.status}: ${row.reason}`) },
    lookMs: 1,
    stuckMs: 1,
    goneMs: 60_000,
    environment: 'test',
    observe: () => {},
  }
})
afterAll(() => database?.drop())
beforeEach(() => {
  told = []
  holdings = null
})

const queued = (): Promise<Outgoing> =>
  database.db.tx((tx) => {
    const intent = { from: '0xa', to: '0xb', token: null, amount: 5n, memo: null, gasPrice: null, gasLimit: null }
    const wallet = { businessId: ids.business, purpose: 'transfer', chain: 'ethereum', signer: 'wallet', walletId: ids.wallet } as const
    return insertOutgoing(tx, { ...wallet, intent, symbol: 'ETH', decimals: 18 }, 1000, provers.api)
  })
const stored = async ({ id }: Outgoing) => (await readOutgoing(database.db, 'id = $1', [id]))[0]

test('what can be made gets terms and a sequence, and waits for the treasury', async () => {
  plan = async () => sound
  const row = await queued()
  await wantTransaction(ctx, chain, row)
  expect(await readTransactions(database.db, row.id)).toMatchObject([{ number: 0, sequence: expect.any(BigInt), terms, sent: null, sends: 0 }])
  expect([(await stored(row))?.status, told]).toEqual(['created', []])
})

test.each([
  [
    'the sender lacks the coin',
    async () => ({
      ...sound,
      shortages: [{ kind: 'native' as const, symbol: 'ETH', decimals: 18, required: 3n * 10n ** 18n, available: 10n ** 18n }],
    }),
    'insufficient_native_balance',
    'The sender lacks 2 ETH: 3 is needed, 1 is there',
  ],
  [
    'the chain would not carry it out',
    async () => {
      throw new TransferRefused('simulation_failed', 'the token is paused')
    },
    'simulation_failed',
    'the token is paused',
  ],
  [
    'the fee may be more than the treasury signs',
    async () => ({ ...sound, terms: { ...terms, maxFeePerGas: '9000000000000' } }),
    'fee_too_high',
    'The fee may be 0.189 ETH; on ethereum 0.05 is allowed',
  ],
])('where %s it fails, with the reason, and nothing is asked of the treasury', async (_what, answer, reason, message) => {
  plan = answer
  const row = await queued()
  await wantTransaction(ctx, chain, row)
  expect(await stored(row)).toMatchObject({ status: 'failed', reason, message, settled: true })
  expect(await readTransactions(database.db, row.id)).toEqual([])
  expect(told).toEqual([`failed: ${reason}`])
})

test('where what its address has does not suffice for it and for those that wait before it, it fails, and takes no sequence', async () => {
  plan = async () => sound
  const fee = 21_000n * 10n ** 9n
  const waiting = await database.db.query('select 1 from outgoing_sequences')
  const before = BigInt(waiting.length) * (fee + 5n)
  expect(before).toBeGreaterThan(0n)
  holdings = { used: 4n, native: before + fee + 4n, token: null }
  const row = await queued()
  await wantTransaction(ctx, chain, row)
  expect(await stored(row)).toMatchObject({ status: 'failed', reason: 'insufficient_native_balance', settled: true })
  expect([await readTransactions(database.db, row.id), await database.db.query('select 1 from outgoing_sequences')]).toEqual([[], waiting])
  holdings = { ...holdings, native: before + fee + 5n }
  const next = await queued()
  await wantTransaction(ctx, chain, next)
  expect(await stored(next)).toMatchObject({ status: 'created', settled: false })
})

describe('a transfer that was to be signed again, and was not', () => {
  // The treasury signs nothing of the tests before.
  beforeEach(() => database.db.query('update outgoing_transactions set void_at = now() where signed_at is null').then(() => {}))

  const refused = () => Promise.reject(new TransferRefused('simulation_failed', 'the token is paused'))

  /** Its first transaction was sent and given up. */
  async function renewed() {
    const row = await queued()
    const signed = { txId: `0x${newId()}`, bytes: Buffer.from(row.id), expiry: null }
    await database.db.tx(async (tx) => {
      await insertTransaction(tx, row, { sequence: 1n, terms, signed, sends: 1 })
      await voidTransactions(tx, row.id, [0], 'it can never be in a block')
      await tx.query('update outgoing set renewals = 1 where id = $1', [row.id])
    })
    outcome = { status: 'gone', reason: 'expired', standing: 'final' }
    return { row, txId: signed.txId, look: () => look(row) }
  }
  async function look({ id }: Outgoing) {
    await database.db.query("update outgoing set next_look_at = now() - interval '1 s' where id = $1 and next_look_at is not null", [id])
    await lookAtOutgoing(ctx, id)
  }
  const block = { blockHeight: 9, blockId: '0x9', standing: 'final', fee: 1n, gasUsed: 1n } as const
  const included = (id: string): Outcome => ({ status: 'included', txId: id, succeeded: true, reason: null, ...block })

  const ways: [string, string, (row: Outgoing) => Promise<unknown>][] = [
    [
      'because the chain would not carry it out',
      'simulation_failed',
      async (row) => {
        plan = refused
        await look(row)
      },
    ],
    [
      'because the treasury refuses it',
      'policy',
      async (row) => {
        plan = async () => sound
        await look(row)
        const signing = async () => ({ chain: { ...chain.chain, maxFee: 0n }, builder: chain.builder })
        const openWallet = () => Promise.reject(new Error('it needs no key'))
        await signWanted({
          db: database.db,
          log: ctx.log,
          environment: 'test',
          proofs,
          signing,
          openWallet,
          onChange: ctx.onChange,
          signed: () => {},
        })
      },
    ],
    ['because the operator gave it up', 'given_up', (row) => database.db.tx((tx) => giveUp(tx, ctx.onChange, row.id))],
  ]

  test.each(ways)('%s has failed, and is confirmed where the first transaction comes all the same', async (_why, reason, fails) => {
    const one = await renewed()
    await fails(one.row)
    const failed = await stored(one.row)
    expect(failed).toMatchObject({ status: 'failed', reason, settled: false })
    outcome = { status: 'absent' }
    await one.look()
    expect(await stored(one.row)).toMatchObject({ status: 'failed', reason, message: failed?.message, settled: false })
    outcome = included(one.txId)
    await one.look()
    expect(await stored(one.row)).toMatchObject({ status: 'confirmed', reason: null, message: null, txId: one.txId, settled: true })
    expect(told).toEqual([`failed: ${reason}`, 'confirmed: null'])
  })

  test.each(ways)('%s is looked for until the chain has said for a minute that the first one can never come', async (_why, reason, fails) => {
    const one = await renewed()
    await fails(one.row)
    await database.db.query("update outgoing set created_at = now() - interval '3 days' where id = $1", [one.row.id])
    outcome = { status: 'absent' }
    await one.look()
    outcome = { status: 'gone', reason: 'expired', standing: 'final' }
    await one.look()
    expect(await stored(one.row)).toMatchObject({ status: 'failed', reason, settled: false })
    await database.db.query("update outgoing set gone_since = gone_since - interval '61 seconds' where id = $1", [one.row.id])
    await one.look()
    expect(await stored(one.row)).toMatchObject({ status: 'failed', reason, settled: true })
    expect(told).toEqual([`failed: ${reason}`])
  })
})
