import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { recordSigned } from '../../test/promises/staking/payments.ts'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { blockIdOf, endStake, fundRewards, makePlan, makeStake } from '../../test/support/stakeRow.ts'
import type { Outcome } from '../chains/sending.ts'
import { balanceOf } from '../ledger/balance.ts'
import { newId } from '../platform/ids.ts'
import { fillGap } from '../txmgr/fillGap.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { noopPurpose } from '../txmgr/noop.ts'
import { requestSignature } from '../txmgr/requestSignature.ts'
import { stepStake } from './stepStake.ts'

/** What a worker does for a stake whose payments fail. Its steps are only those that are due. */

const one = 1_000_000n
const staker = `0x${'1'.repeat(40)}`
const businessId = newId()
let world: StakingWorld
let planId: string
let stakeId: string

beforeAll(async () => {
  world = await makeStakingWorld()
  const { db } = world.database
  await insertBusiness(db, businessId)
  planId = await makePlan(db)
})
afterAll(() => world?.database.drop())

const query = <R extends object>(sql: string, ...values: unknown[]) => world.database.db.query<R>(sql, values)

beforeEach(newStake)

async function newStake(): Promise<void> {
  const { db } = world.database
  const confirmedAt = new Date(Date.now() - 86_400_000)
  stakeId = await makeStake(db, {
    planId,
    businessId,
    from: staker,
    amount: 100n * one,
    token: world.usdc,
    createdAt: confirmedAt,
    confirmedAt,
  })
  world.blocks.set(1, confirmedAt)
}

/** Unstaked with these rewards, and its withdrawal requested. */
async function request(rewards: bigint): Promise<void> {
  await endStake(world.database.db, stakeId, { rewards })
  await query('update stakes set withdraw_requested_at = now(), next_at = now() where id = $1', stakeId)
}

const payments = () =>
  query<{ id: string; principal: string; rewards: string }>(
    'select intent_id as id, principal::text, rewards::text from stake_payments where stake_id = $1 order by created_at, intent_id',
    stakeId,
  )
const dueInMs = async () =>
  (
    await query<{ ms: number | null }>(
      'select (extract(epoch from next_at - now()) * 1000)::float8 as ms from stakes where id = $1',
      stakeId,
    )
  )[0]?.ms
const step = () => stepStake(world.ctx, stakeId)
/** Time passes for the stake and its payments. */
async function pass(ms: number): Promise<void> {
  const ago = String(ms)
  await query(
    "update stakes set next_at = next_at - $2::numeric * interval '1 ms' where id = $1",
    stakeId,
    ago,
  )
  await query(
    "update intents set updated_at = updated_at - $2::numeric * interval '1 ms' where id in (select intent_id from stake_payments where stake_id = $1)",
    stakeId,
    ago,
  )
}
/** As the transaction manager stores it; the change makes the stake due. */
async function set(id: string, status: string): Promise<void> {
  await query(
    "update intents set status = $2, next_reconcile_at = null, reason = case when $2 = 'failed' then 'insufficient_native_balance' end where id = $1",
    id,
    status,
  )
  await query('update stakes set next_at = now() where id = $1', stakeId)
}

test('principal whose payment failed is paid again, also where its rewards were paid after it', async () => {
  await request(5n * one)
  await step()
  const [first] = await payments()
  expect(first).toMatchObject({ principal: String(100n * one), rewards: '0' })
  await set(first?.id ?? '', 'failed')
  await fundRewards(world.database.db, 'ethereum', 'USDC', 5n * one)
  await pass(60_000)
  await step()
  const second = (await payments())[1]
  expect(second).toMatchObject({ principal: '0', rewards: String(5n * one) })
  await set(second?.id ?? '', 'confirmed')
  await step()
  expect(await dueInMs()).toBeGreaterThan(0)
  await pass(600_000)
  await step()
  expect(await payments()).toEqual([
    first,
    second,
    expect.objectContaining({ principal: String(100n * one), rewards: '0' }),
  ])
})

test('the payment to a suspended business waits in one row, and is made afterwards', async () => {
  await request(0n)
  await step()
  await query("update businesses set approval = 'suspended' where id = $1", businessId)
  const [payment] = await payments()
  const [row] = await readIntents(world.database.db, 'id = $1', [payment?.id])
  if (!row) throw new Error('no payment')
  const ctx = { ...world.ctx, environment: 'test', settings: () => ({}), observe: () => {} } as never
  expect(await requestSignature(ctx, { chain: world.chain } as never, row)).toBe('waits')
  await pass(3 * 3_600_000)
  await step()
  expect(await query('select status from intents where id = $1', payment?.id)).toEqual([
    { status: 'created' },
  ])
  expect(await payments()).toHaveLength(1)
  await query("update businesses set approval = 'approved' where id = $1", businessId)
})

test('what a token kept of a stake is a cost of the platform; the staker is owed the whole amount', async () => {
  const { db } = world.database
  const accounts = ['staking:ethereum', 'network_costs'] as const
  const asset = 'ethereum:USDC'
  const booked = () => Promise.all(accounts.map((name) => balanceOf(db, { name, businessId: null, asset })))
  const owed = () => balanceOf(db, { name: 'stakes', businessId, asset })
  const before = [...(await booked()), await owed()]
  const confirmedAt = new Date(Date.now() - 86_400_000)
  const taxed = await makeStake(db, {
    planId,
    businessId,
    from: staker,
    amount: 100n * one,
    token: world.usdc,
    confirmedAt: null,
  })
  const kept = [{ address: staker, token: world.usdc, amount: String(one) }]
  const confirmed =
    "update intents set status = 'confirmed', block_height = 1, block_id = $3, tx_id = $4, token_kept = $2 where id = $1"
  await query(confirmed, taxed, JSON.stringify(kept), blockIdOf(1), `0x${taxed}`)
  await query('update stakes set next_at = now() where id = $1', taxed)
  world.blocks.set(1, confirmedAt)
  await stepStake(world.ctx, taxed)
  const after = [...(await booked()), await owed()]
  expect(after.map((balance, i) => balance - (before[i] ?? 0n))).toEqual([99n * one, one, 100n * one])
})

test('the nonce of a payment that the network never had is filled; then it is paid again', async () => {
  await request(0n)
  await step()
  const [first] = await payments()
  const id = first?.id ?? ''
  const txId = `0x${id}`
  await query(
    "insert into treasury_signatures (intent_id, chain, tx_id, nonce) values ($1, 'ethereum', $2, 3)",
    id,
    txId,
  )
  await query(
    "insert into intent_attempts (intent_id, number, chain, nonce, terms, tx_id, sends, signed_at, bytes) values ($1, 0, 'ethereum', 3, '{}', $2, 1, now(), 'x')",
    id,
    txId,
  )
  await set(id, 'failed')
  const { db } = world.database
  const sending = {
    chain: world.chain,
    builder: { maxFee: () => 1n },
    sender: { plan: async () => ({ terms: {}, shortages: [] }) },
  } as never
  const filling = { ...world.ctx, environment: 'test', observe: () => {} } as const
  const ctx = {
    ...world.ctx,
    fillNonce: (row: Intent, nonce: bigint) => fillGap(filling, sending, row, nonce),
  }
  await pass(15_000)
  await stepStake(ctx, stakeId)
  const noops = () =>
    query<{ id: string; signer: string; nonce: string }>(
      "select i.id, i.signer, n.nonce::text from intents i join intent_nonces n on n.intent_id = i.id where i.purpose = 'noop'",
    )
  const [noop] = await noops()
  expect(noop).toMatchObject({ signer: 'staking', nonce: '3' })
  await pass(15_000)
  await stepStake(ctx, stakeId)
  expect([await payments(), await noops()]).toEqual([[first], [noop]])
  const used =
    "update intents set status = 'confirmed', block_height = 9, fee = 7, next_reconcile_at = null, tx_id = '0x1' where id = $1"
  await query(
    "update intent_attempts set tx_id = '0x1', signed_at = now(), bytes = 'x' where intent_id = $1",
    noop?.id,
  )
  await query(used, noop?.id)
  const coin = () => balanceOf(db, { name: 'staking:ethereum', businessId: null, asset: 'ethereum:ETH' })
  await fundRewards(db, 'ethereum', 'ETH', 100n)
  const before = await coin()
  await db.tx(async (tx) => {
    const [row] = await readIntents(tx, 'id = $1', [noop?.id])
    if (row) await noopPurpose.onChange(tx, row, 'broadcast')
  })
  expect(await coin()).toBe(before - 7n)
  world.outcomes.set(txId, { status: 'unminable', reason: 'sequence_used', standing: 'final' })
  await pass(15_000)
  await stepStake(ctx, stakeId)
  expect(await payments()).toEqual([first, expect.objectContaining({ principal: String(100n * one) })])
})

test('a payment that failed, and was mined after all, is reconciled again; it is not paid a second time', async () => {
  await request(0n)
  await step()
  const [first] = await payments()
  const id = first?.id ?? ''
  const txId = `0x${id}`
  await query(
    "insert into treasury_signatures (intent_id, chain, tx_id, nonce) values ($1, 'ethereum', $2, 4)",
    id,
    txId,
  )
  await query(
    "insert into intent_attempts (intent_id, number, chain, nonce, terms, tx_id, sends, signed_at, bytes) values ($1, 0, 'ethereum', 4, '{}', $2, 1, now(), 'x')",
    id,
    txId,
  )
  await set(id, 'failed')
  const mined = {
    status: 'included',
    txId,
    succeeded: true,
    reason: null,
    blockHeight: 8,
    blockId: blockIdOf(8),
    standing: 'confirmed',
  } as const
  world.outcomes.set(txId, { ...mined, fee: 0n, gasUsed: null })
  await step()
  expect(await query('select 1 from intents where id = $1 and next_reconcile_at <= now()', id)).toHaveLength(
    1,
  )
  expect(await payments()).toEqual([first])
})

describe('a payment that failed', () => {
  const included = (id: string, standing: 'confirmed' | 'final') =>
    ({
      status: 'included',
      txId: `0x${id}`,
      succeeded: false,
      reason: 'reverted',
      blockHeight: 8,
      blockId: blockIdOf(8),
      standing,
      fee: 0n,
      gasUsed: null,
    }) as const
  const unminable = (reason: 'sequence_used' | 'expired', standing: 'confirmed' | 'final') =>
    ({ status: 'unminable', reason, standing }) as const

  /** @returns its id */
  async function failed(): Promise<string> {
    await request(0n)
    await step()
    const [first] = await payments()
    const id = first?.id ?? ''
    await recordSigned(world.database.db, id)
    await set(id, 'failed')
    return id
  }

  test.each<[string, (id: string) => Outcome]>([
    ['in a block that a fork may take away', (id) => included(id, 'confirmed')],
    [
      'because another transaction used its nonce, which a fork may take away',
      () => unminable('sequence_used', 'confirmed'),
    ],
    [
      'because an unknown transaction used its nonce, which may be the same payment',
      () => unminable('sequence_used', 'final'),
    ],
    ['by its row, and expires soon', () => unminable('expired', 'confirmed')],
    ['by its row, and is in no block', () => ({ status: 'absent' })],
    [
      'by its row, and has paid in a final block',
      (id) => ({ ...included(id, 'final'), succeeded: true, reason: null }),
    ],
  ])('%s, is not made again', async (_name, outcome) => {
    const id = await failed()
    world.outcomes.set(`0x${id}`, outcome(id))
    await step()
    expect(await payments()).toHaveLength(1)
  })

  test.each<[string, (id: string) => Outcome]>([
    ['in a final block', (id) => included(id, 'final')],
    ['because it expired', () => unminable('expired', 'final')],
  ])('%s, is made again', async (_name, outcome) => {
    const id = await failed()
    world.outcomes.set(`0x${id}`, outcome(id))
    await step()
    expect(await payments()).toHaveLength(2)
  })

  test('is made again once another payment in a block has used its nonce: not its own, and not one that is in no block', async () => {
    const other = await failed()
    await newStake()
    const id = await failed()
    world.outcomes.set(`0x${id}`, unminable('sequence_used', 'final'))
    const paidAfter = async (sql: string, of: string) => {
      await query(`update intents set tx_id = $2, ${sql} where id = $1`, of, `0x${of}`)
      await query('update stakes set next_at = now() where id = $1', stakeId)
      await step()
      return (await payments()).length
    }
    expect(await paidAfter("status = 'broadcast'", other)).toBe(1)
    expect(await paidAfter('block_height = 8', id)).toBe(1)
    expect(await paidAfter("status = 'confirmed', block_height = 8", other)).toBe(2)
  })
})

test('a stake is withdrawn when its payment is confirmed, and not before', async () => {
  const status = async () =>
    (await query<{ status: string }>('select status from stakes where id = $1', stakeId))[0]?.status
  await request(0n)
  await step()
  const [payment] = await payments()
  await set(payment?.id ?? '', 'broadcast')
  await step()
  expect(await status()).toBe('unstaking')
  await set(payment?.id ?? '', 'confirmed')
  await step()
  expect(await status()).toBe('withdrawn')
})
