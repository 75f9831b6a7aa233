import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { endStake, fundRewards, makePlan, makeStake } from '../../test/support/stakeRow.ts'
import { newId } from '../platform/ids.ts'
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
  await db.query("insert into businesses (id, name) values ($1, 'A shop')", [businessId])
  planId = await makePlan(db)
})
afterAll(() => world?.database.drop())

const query = <R extends object>(sql: string, ...values: unknown[]) => world.database.db.query<R>(sql, values)

beforeEach(async () => {
  const { db } = world.database
  const confirmedAt = new Date(Date.now() - 86_400_000)
  stakeId = await makeStake(db, { planId, businessId, from: staker, amount: 100n * one, token: world.usdc, createdAt: confirmedAt, confirmedAt })
  world.blocks.set(1, confirmedAt)
})

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
  (await query<{ ms: number | null }>('select (extract(epoch from next_at - now()) * 1000)::float8 as ms from stakes where id = $1', stakeId))[0]?.ms
const step = () => stepStake(world.ctx, stakeId)
/** Time passes for the stake and its payments. */
async function pass(ms: number): Promise<void> {
  const ago = String(ms)
  await query("update stakes set next_at = next_at - $2::numeric * interval '1 ms' where id = $1", stakeId, ago)
  await query(
    "update intents set updated_at = updated_at - $2::numeric * interval '1 ms' where id in (select intent_id from stake_payments where stake_id = $1)",
    stakeId,
    ago,
  )
}
const set = (id: string, status: string) =>
  query(
    "update intents set status = $2, next_reconcile_at = null, reason = case when $2 = 'failed' then 'insufficient_native_balance' end where id = $1",
    id,
    status,
  )

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
  await pass(15_000)
  await query('update stakes set next_at = now() where id = $1', stakeId)
  await step()
  expect(await dueInMs()).toBeGreaterThan(0)
  await pass(600_000)
  await step()
  expect(await payments()).toEqual([first, second, expect.objectContaining({ principal: String(100n * one), rewards: '0' })])
})
