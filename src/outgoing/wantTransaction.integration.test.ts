import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { knownChain } from '../chains/registry.ts'
import { type Holdings, type TransferPlan, TransferRefused, type TransferSender } from '../chains/sending.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import type { OutgoingContext, SendingChain } from './context.ts'
import { insertOutgoing, type Outgoing, readOutgoing, readTransactions } from './outgoing.ts'
import { wantTransaction } from './wantTransaction.ts'

/** What becomes of a stored wallet's transfer when its turn comes; the chain's answer is a script. */

let database: TestDatabase
let ids: { business: string; wallet: string }
let plan: () => Promise<TransferPlan>
let holdings: Holdings | null
let told: string[]
let ctx: OutgoingContext
let chain: SendingChain

const terms = { gas: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1', l1Fee: '0' }
const sound: TransferPlan = { terms, fee: { expected: 1n, most: 2n }, besides: 0n, shortages: [] }

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
  const sender = { plan: () => plan(), nextSequence: async () => 4n, holdings: async () => holdings } as unknown as TransferSender
  chain = { chain: ethereum, builder: await transferBuilder(ethereum), sender } as unknown as SendingChain
  ctx = {
    db,
    log: createLog('test', 'silent'),
    sendingChain: async () => chain,
    onChange: { transfer: async (_tx, row) => void told.push(`${row.status}: ${row.reason}`) },
    lookMs: 1,
    stuckMs: 1,
    goneMs: 60_000,
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
    return insertOutgoing(tx, { ...wallet, intent, symbol: 'ETH', decimals: 18 }, 1000)
  })
const after = async ({ id }: Outgoing) => (await readOutgoing(database.db, 'id = $1', [id]))[0]

test('what can be made gets terms and a sequence, and waits for the treasury', async () => {
  plan = async () => sound
  const row = await queued()
  await wantTransaction(ctx, chain, row)
  expect(await readTransactions(database.db, row.id)).toMatchObject([{ number: 0, sequence: expect.any(BigInt), terms, sent: null, sends: 0 }])
  expect([(await after(row))?.status, told]).toEqual(['created', []])
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
  expect(await after(row)).toMatchObject({ status: 'failed', reason, message, settled: true })
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
  expect(await after(row)).toMatchObject({ status: 'failed', reason: 'insufficient_native_balance', settled: true })
  expect([await readTransactions(database.db, row.id), await database.db.query('select 1 from outgoing_sequences')]).toEqual([[], waiting])
  holdings = { ...holdings, native: before + fee + 5n }
  const next = await queued()
  await wantTransaction(ctx, chain, next)
  expect(await after(next)).toMatchObject({ status: 'created', settled: false })
})
