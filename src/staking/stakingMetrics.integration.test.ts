import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { endStake, fundRewards, makePlan, makeStake } from '../../test/support/stakeRow.ts'
import { newId } from '../platform/ids.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createStakingMetrics } from './stakingMetrics.ts'

const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const one = 1_000_000n
let database: TestDatabase
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId)
})
afterAll(() => database?.drop())

const change = (id: string, set: string) => database.db.query(`update stakes set ${set} where id = $1`, [id])

test('stakes are counted and summed by type; late payments, native stakes that nodes do not show, and rewards that are left are seen', async () => {
  const { db } = database
  const planId = await makePlan(db)
  // Its token has left the registry.
  await makePlan(db, { token: 'OLD' })
  const pooled = (more: object = {}) =>
    makeStake(db, {
      planId,
      businessId,
      from: `0x${'1'.repeat(40)}`,
      amount: 100n * one,
      token: usdc,
      apy: '0',
      ...more,
    })
  const native = async (more: object = {}) => {
    const id = await pooled({ token: null, chain: 'ethereum', confirmedAt: null, ...more })
    await change(
      id,
      "type = 'native', rent = 1, chain = 'solana', token = 'SOL', decimals = 9, confirmed_at = now()",
    )
    await change(id, 'amount = 2000000000, staked_amount = 2000000000')
    return id
  }
  const ended = async (requested: string | null) => {
    const id = await pooled()
    await endStake(db, id, {})
    if (requested) await change(id, `withdraw_requested_at = now() - interval '${requested}'`)
    return id
  }
  await pooled()
  await pooled({ confirmedAt: null })
  await ended(null)
  await ended('1 hour')
  await change(await ended('5 hours'), "status = 'withdrawn', withdrawn_at = now()")
  const [fresh, unread, later] = [await native(), await native(), await native()]
  await change(fresh, 'next_at = now()')
  await change(unread, "next_at = now(), updated_at = now() - interval '4 hours'")
  await change(later, "next_at = now() + interval '1 day', updated_at = now() - interval '4 hours'")
  await change(
    later,
    "status = 'unstaking', unstaked_at = now(), penalty = 0, rewards = 0, withdraw_requested_at = now() - interval '2 hours'",
  )
  await fundRewards(db, 'ethereum', 'USDC', 7n * one)

  const metrics = createMetrics('worker')
  createStakingMetrics(metrics, db, [])
  const lines = (await metrics.exposition()).split('\n').filter((line) => line.startsWith('cowry_'))
  const read = (name: string, ...labels: string[]) => {
    const line = lines.find(
      (each) => each.startsWith(`cowry_${name}`) && labels.every((label) => each.includes(`"${label}"`)),
    )
    return Number(line?.split(' ').at(-1))
  }
  expect([read('stakes', 'pooled', 'active'), read('stakes', 'pooled', 'unstaking')]).toEqual([2, 2])
  expect([read('stakes', 'native', 'active'), read('stakes', 'native', 'unstaking')]).toEqual([2, 1])
  expect([read('staked_amount', 'pooled', 'USDC'), read('staked_amount', 'native', 'SOL')]).toEqual([300, 6])
  expect([read('stake_rewards_left', 'ethereum', 'USDC'), read('stake_rewards_left', 'OLD')]).toEqual([
    7,
    NaN,
  ])
  const oldest = (type: string) => Math.round(read('stake_withdrawal_oldest_seconds', type) / 100)
  expect([oldest('pooled'), oldest('native'), read('native_stakes_unread')]).toEqual([36, 72, 1])
})
