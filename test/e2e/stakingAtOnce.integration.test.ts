import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { parseUnits } from '../../src/chains/amount.ts'
import { makeCanary } from '../promises/canaries.ts'
import { foundIn, sinksOf } from '../promises/sinks.ts'
import { heldOn } from '../support/chainBooks.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { fundStaking, newStaker, planOn, type StakeBody, stakeIs, stakeOn, unstakeOn, withdrawOn } from '../support/staking.ts'

/** Stakes at once, without Redis, and with keys that must not stay: each is staked once and paid once. */

const chain = 'ethereum'
const one = 1_000_000n
let stack: Stack
let redis: Redis
let plan: string
beforeAll(async () => {
  const env = { RPC_TIMEOUT_MS: '10000', LOG_LEVEL: 'trace' }
  stack = await createStack({ chains: [chain], traced: true, processes: ['treasury', 'api', 'worker'], confirmations: 1, env })
  redis = new Redis(stack.redis.url)
  await fundStaking(stack, chain, 'evm', { token: 'USDC', units: '500', base: 500n * one })
  plan = await planOn(stack, chain, { lockDays: 0, minAmount: one })
}, 120_000)
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
})

const staked = async (payer: Payer): Promise<StakeBody> => {
  const { body } = await stakeOn(stack, payer, plan)
  return stakeIs(stack, chain, body.id, ({ confirmedAt }) => confirmedAt !== null)
}
const withdrawn = ({ status }: StakeBody) => status === 'withdrawn'
const held = ({ address }: Payer) => heldOn(stack, chain, 'usdc', address)
const rewardsOf = ({ rewards }: StakeBody) => parseUnits(rewards, 6) ?? -1n
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted()
const once = (count: number) => [200, ...Array(count - 1).fill(409)]

test('of 50 unstakes of one stake one wins, and of 50 withdrawals', async () => {
  const payer = await newStaker(stack, chain)
  const { id } = await staked(payer)
  const fifty = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, work))
  expect(statuses(await fifty(() => unstakeOn(stack, payer, id)))).toEqual(once(50))
  expect(statuses(await fifty(() => withdrawOn(stack, chain, id)))).toEqual(once(50))
  const done = await stakeIs(stack, chain, id, withdrawn)
  expect(await held(payer)).toBe(1000n * one + rewardsOf(done))
  expect(await stack.db.query('select 1 from stake_payments where stake_id = $1', [id])).toHaveLength(1)
})

test('of 50 unstakes of parts only as many win as there is money', async () => {
  const payer = await newStaker(stack, chain)
  const { id } = await staked(payer)
  const part = { amountToUnstake: '30' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => unstakeOn(stack, payer, id, part)))
  // The part that leaves keeps the id: the others find it unstaked.
  expect(statuses(answers)).toEqual(once(50))
  const parts = await stack.db.query<{ amount: string }>('select amount::text as amount from stakes where root_id = $1 order by amount', [id])
  expect(parts.map(({ amount }) => amount)).toEqual([String(30n * one), String(70n * one)])
})

test('FLUSHALL at each step: a stake is made once and paid once', async () => {
  const payer = await newStaker(stack, chain)
  const { body } = await stakeOn(stack, payer, plan)
  await redis.flushall()
  await stakeIs(stack, chain, body.id, ({ confirmedAt }) => confirmedAt !== null, 120_000)
  await redis.flushall()
  await unstakeOn(stack, payer, body.id)
  await redis.flushall()
  await withdrawOn(stack, chain, body.id)
  await redis.flushall()
  const done = await stakeIs(stack, chain, body.id, withdrawn, 120_000)
  expect(await held(payer)).toBe(1000n * one + rewardsOf(done))
  await stack.idle()
  const events = await stack.db.query<{ type: string }>("select type from events where data->>'id' = $1 order by sequence", [body.id])
  expect(events.map(({ type }) => type)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
}, 300_000)

test('no key is in a log, row, job, error or metric', async () => {
  const dice = () => Math.random()
  const canaries = Array.from({ length: 6 }, (_, n) => makeCanary('ethereum', `key ${n}`, dice))
  const errors: string[] = []
  const refused = (answer: { status: number; body: unknown }) => {
    expect(answer.status).toBeGreaterThanOrEqual(400)
    errors.push(JSON.stringify(answer.body))
  }
  const [first, ...others] = canaries
  if (!first) throw new Error('no canary')
  const payer = newPayer(chain, first.bytes)
  await fund(stack, payer, { native: '1', USDC: '1000' })
  const { id } = await staked(payer)
  for (const { written } of others) {
    const [key = ''] = written
    refused(await stakeOn(stack, newPayer(chain), plan, { fromPrivateKey: key }))
    refused(await stakeOn(stack, newPayer(chain), plan, { validator: key }))
    refused(await stakeOn(stack, newPayer(chain), key))
    refused(await stakeOn(stack, newPayer(chain), plan, { amount: key }))
    refused(await unstakeOn(stack, payer, id, { fromPrivateKey: key }))
    refused(await unstakeOn(stack, payer, key))
    refused(await unstakeOn(stack, payer, id, { amountToUnstake: key }))
    refused(await stack.api('POST', '/staking/withdraw', { stakeId: id, chain, fromPrivateKey: key }))
    refused(await stack.api('GET', `/staking/stakes?status=${key}`))
  }
  await unstakeOn(stack, payer, id)
  await withdrawOn(stack, chain, id)
  await stakeIs(stack, chain, id, withdrawn)
  await stack.idle()
  const traces = Object.fromEntries(canaries.map(({ name, traces: forms }) => [name, [...forms]]))
  for (const [sink, read] of Object.entries(sinksOf(stack, redis, errors))) expect([sink, foundIn(await read(), traces)]).toEqual([sink, []])
})
