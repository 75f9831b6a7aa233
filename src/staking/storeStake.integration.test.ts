import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makePlan } from '../../test/support/stakeRow.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { insertIntent } from '../txmgr/intents.ts'
import { readPlans } from './plan.ts'
import { storeStake } from './storeStake.ts'

const businessId = newId()
const from = `0x${'1'.repeat(40)}`
let world: StakingWorld
beforeAll(async () => {
  world = await makeStakingWorld()
  await insertBusiness(world.database.db, businessId)
})
afterAll(() => world?.database.drop())

/** Stores a stake whose request was read before `meanwhile`. */
async function store(
  meanwhile: (planId: string) => Promise<unknown>,
  whileStored: (planId: string) => Promise<unknown> = async () => {},
) {
  const { db } = world.database
  const { chain, usdc: token } = world
  const planId = await makePlan(db, { minAmount: 10n, maxAmount: 1000n })
  const [plan] = await readPlans(db, 'id = $1', [planId])
  if (!plan) throw new Error('no plan')
  await meanwhile(planId)
  return db.tx(async (tx) => {
    const action = {
      kind: 'transfer',
      from,
      to: from,
      token,
      amount: 100n,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    } as const
    const shown = { symbol: 'USDC', decimals: 6 }
    const wanted = {
      businessId,
      purpose: 'stake',
      chain: chain.name,
      signer: 'caller',
      walletId: null,
      action,
      ...shown,
    } as const
    const intent = await insertIntent(world.ctx, tx, wanted, 0, null)
    await storeStake(
      tx,
      provers.api,
      { chain, plan, amount: 100n, from, key: new Secret(''), validator: null, businessId },
      intent,
    )
    await whileStored(planId)
  })
}

const change = (sql: string) => (planId: string) =>
  world.database.db.query(`update staking_plans set ${sql} where id = $1`, [planId])

test.each([
  ['stopped', 'stopped_at = now()', 'plan_stopped'],
  ['given a higher minimum', 'min_amount = 101', 'stake_below_minimum'],
  ['given a lower maximum', 'max_amount = 99', 'stake_above_maximum'],
])('a plan that was %s after the request was read takes no stake', async (_what, sql, error) => {
  await expect(store(change(sql))).rejects.toMatchObject({ error })
})

test('a plan stays as it is until the stake is stored', async () => {
  const stop = (planId: string) =>
    world.database.db.tx(async (tx) => {
      await tx.query("set local lock_timeout = '300ms'")
      await tx.query('update staking_plans set stopped_at = now() where id = $1', [planId])
    })
  await expect(store(async () => {}, stop)).rejects.toThrow(/lock timeout/)
})
