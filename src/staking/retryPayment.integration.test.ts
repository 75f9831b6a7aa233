import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { recordSigned, setPayment } from '../../test/promises/staking/payments.ts'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { endStake, makePlan, makeStake } from '../../test/support/stakeRow.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { newId } from '../platform/ids.ts'
import { retryPayment } from './retryPayment.ts'
import { stepStake } from './stepStake.ts'

/** An operator releases the failed payments of a stake. */

const staker = `0x${'1'.repeat(40)}`
const businessId = newId()
const actor = systemActor('cowry staking')
let world: StakingWorld
let stakeId: string

beforeAll(async () => {
  world = await makeStakingWorld()
  const { db } = world.database
  await insertBusiness(db, businessId)
  const confirmedAt = new Date(Date.now() - 86_400_000)
  world.blocks.set(1, confirmedAt)
  const plan = await makePlan(db)
  const row = {
    planId: plan,
    businessId,
    from: staker,
    amount: 100n,
    token: world.usdc,
    createdAt: confirmedAt,
    confirmedAt,
  }
  stakeId = await makeStake(db, row)
  await endStake(db, stakeId, {})
  await db.query('update stakes set withdraw_requested_at = now() where id = $1', [stakeId])
})
afterAll(() => world?.database.drop())

const query = <R extends object>(sql: string, ...values: unknown[]) => world.database.db.query<R>(sql, values)
const retry = () => world.database.db.tx((tx) => retryPayment(tx, actor, provers.api, stakeId, 'case 7'))
const payments = () =>
  query<{ id: string }>(
    'select intent_id as id from stake_payments where stake_id = $1 order by created_at',
    stakeId,
  )
const isDue = async () =>
  (await query('select 1 from stakes where id = $1 and next_at <= now()', stakeId)).length === 1

async function fail(id: string): Promise<void> {
  await recordSigned(world.database.db, id)
  await setPayment(world, id, 'failed')
}

async function step(): Promise<string> {
  await query('update stakes set next_at = now() where id = $1', stakeId)
  await stepStake(world.ctx, stakeId)
  return (await payments()).at(-1)?.id ?? ''
}

test('a stake whose payments have failed twice is paid once more after that; before it, or twice, nothing is released', async () => {
  await expect(retry()).rejects.toThrow('only a stake whose payments have failed twice is retried')
  const first = await step()
  await fail(first)
  await expect(retry()).rejects.toThrow('only a stake whose payments have failed twice is retried')
  const second = await step()
  await fail(second)
  await step()
  expect([second === first, (await payments()).length, await isDue()]).toEqual([false, 2, false])

  await query('update intents set next_reconcile_at = now() where id = $1', second)
  await expect(retry()).rejects.toThrow(`the payment ${second} of ${stakeId} is not final yet`)
  await query('update intents set next_reconcile_at = null where id = $1', second)
  expect([await retry(), await isDue()]).toEqual([[first, second], true])
  await expect(retry()).rejects.toThrow('only a stake whose payments have failed twice is retried')
  const audit = await query(
    "select actor_label as by, business_id as business, target, after from audit_log where action = 'stake.payment_retried'",
  )
  expect(audit).toEqual([
    {
      by: 'cowry staking',
      business: businessId,
      target: stakeId,
      after: { payments: [first, second], evidence: 'case 7' },
    },
  ])

  // The chain may still include the second one: the release alone makes no payment.
  const outcome = world.outcomes.get(`0x${second}`)
  world.outcomes.set(`0x${second}`, { status: 'absent' })
  expect(await step()).toBe(second)
  if (outcome) world.outcomes.set(`0x${second}`, outcome)
  const third = await step()
  expect(await payments()).toEqual([{ id: first }, { id: second }, { id: third }])

  await fail(third)
  expect(await step()).toBe(third)
  expect(await retry()).toEqual([third])
})

test('a stake that does not exist is refused', async () => {
  const unknown = newId()
  await expect(
    world.database.db.tx((tx) => retryPayment(tx, actor, provers.api, unknown, 'case 7')),
  ).rejects.toThrow(`there is no stake ${unknown}`)
})
