import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import type { PlatformAccountName } from '../../src/ledger/account.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { parseUnits } from '../../src/money/amount.ts'
import { rpc } from '../devnets/evm.ts'
import { makeCanary } from '../promises/canaries.ts'
import { foundIn, sinksOf } from '../promises/sinks.ts'
import { heldOn } from '../support/chainBooks.ts'
import { runCommand } from '../support/command.ts'
import { intentEnv } from '../support/intentKeys.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import {
  fundStaking,
  newStaker,
  planOn,
  type StakeBody,
  stakeIs,
  stakeOf,
  stakeOn,
  unstakeOn,
  withdrawOn,
} from '../support/staking.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Stakes at once, without Redis, with payments that fail, and with keys that must not stay: each is staked
 * once and paid once.
 */

const chain = 'ethereum'
const one = 1_000_000n
let stack: Stack
let redis: Redis
let plan: string
let address: string
beforeAll(async () => {
  const env = { RPC_TIMEOUT_MS: '10000', LOG_LEVEL: 'trace' }
  stack = await createStack({
    chains: [chain],
    traced: true,
    processes: ['treasury', 'api', 'worker'],
    confirmations: 1,
    env,
  })
  redis = new Redis(stack.redis.url)
  address = await fundStaking(stack, chain, 'evm', { token: 'USDC', units: '500', base: 500n * one })
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
  const parts = await stack.db.query<{ amount: string }>(
    'select amount::text as amount from stakes where root_id = $1 order by amount',
    [id],
  )
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
  const events = await stack.db.query<{ type: string }>(
    "select type from events where data->>'id' = $1 order by sequence",
    [body.id],
  )
  expect(events.map(({ type }) => type)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
}, 300_000)

describe('a payment that the chain refuses', () => {
  interface Payment {
    txId: string
    status: string
    isSettled: boolean
    fee: bigint
  }
  const paymentsOf = async (id: string): Promise<Payment[]> => {
    const rows = await stack.db.query<Omit<Payment, 'fee'> & { fee: string | null }>(
      `select i.tx_id as "txId", i.status, i.next_reconcile_at is null as "isSettled", i.fee::text as fee from stake_payments p join intents i on i.id = p.intent_id
       where p.stake_id = $1 order by p.created_at`,
      [id],
    )
    return rows.map((row) => ({ ...row, fee: BigInt(row.fee ?? 0) }))
  }
  /** Time passes for the stake: workers query the chain again after 15 s. */
  const pass = (id: string) =>
    stack.db.query('update stakes set next_at = now() where id = $1 and next_at is not null', [id])
  const booked = (name: PlatformAccountName, symbol: string) =>
    balanceOf(stack.db, { name, businessId: null, asset: `${chain}:${symbol}` })
  /** Of the staking address: by the chain, and by the books. */
  const place = async () => ({
    held: [await heldOn(stack, chain, 'usdc', address), await heldOn(stack, chain, 'native', address)],
    books: [await booked(`staking:${chain}`, 'USDC'), await booked(`staking:${chain}`, 'ETH')],
  })

  /** The token refuses the nth payment of a stake in its block. @returns its hash */
  async function refuse(id: string, n: number): Promise<string> {
    await waitFor(`payment ${n} in the pool`, async () => {
      await pass(id)
      return (await paymentsOf(id))[n - 1]?.status === 'broadcast'
    })
    const { rpcUrl, usdc } = stack.devnet
    const code = await rpc(rpcUrl, 'eth_getCode', [usdc, 'latest'])
    await rpc(rpcUrl, 'anvil_setCode', [usdc, '0xfe'])
    await stack.mine(1)
    await rpc(rpcUrl, 'anvil_setCode', [usdc, code])
    // Final, so that the worker may make another one, which no block has yet.
    await stack.mine(40)
    return waitFor('its failure', async () => {
      const payment = (await paymentsOf(id))[n - 1]
      return payment?.status === 'failed' && payment.isSettled ? payment.txId : null
    })
  }

  async function requested(): Promise<{ payer: Payer; id: string; paid: bigint }> {
    const payer = await newStaker(stack, chain)
    const { id } = await staked(payer)
    const { netAmount, rewards } = (await unstakeOn(stack, payer, id)).body
    expect((await withdrawOn(stack, chain, id)).status).toBe(200)
    return { payer, id, paid: (parseUnits(netAmount, 6) ?? 0n) + (parseUnits(rewards, 6) ?? 0n) }
  }

  async function expectPaidOnce(
    { payer, id, paid }: Awaited<ReturnType<typeof requested>>,
    hashes: readonly string[],
    before: Place,
  ): Promise<void> {
    const done = await stakeIs(stack, chain, id, withdrawn)
    const payments = await paymentsOf(id)
    expect(payments.map(({ status }) => status)).toEqual([...hashes.map(() => 'failed'), 'confirmed'])
    const last = payments.at(-1)?.txId ?? ''
    expect(hashes).not.toContain(last)
    // Of those that pay it, which the others did not.
    expect([done.withdrawalTxHashes, done.reason, await held(payer)]).toEqual([
      [last],
      null,
      900n * one + paid,
    ])
    const after = await place()
    const fees = payments.reduce((sum, { fee }) => sum + fee, 0n)
    const moved = ([usdc = 0n, eth = 0n]: bigint[], [usdcBefore = 0n, ethBefore = 0n]: bigint[]) => [
      usdc - usdcBefore,
      eth - ethBefore,
    ]
    expect([moved(after.held, before.held), moved(after.books, before.books)]).toEqual([
      [-paid, -fees],
      [-paid, -fees],
    ])
    await stack.idle()
    const events = await stack.db.query(
      "select 1 from events where data->>'id' = $1 and type = 'stake.withdrawn'",
      [id],
    )
    expect(events).toHaveLength(1)
  }
  type Place = Awaited<ReturnType<typeof place>>

  test('is made again once, and reaches the staker once', async () => {
    const stake = await requested()
    const before = await place()
    const first = await refuse(stake.id, 1)
    expect(await stakeOf(stack, stake.id)).toMatchObject({
      status: 'unstaking',
      withdrawnAt: null,
      withdrawalTxHashes: [],
    })
    await pass(stake.id)
    await expectPaidOnce(stake, [first], before)
  })

  test('twice is left to an operator, who releases it; then it is made once more', async () => {
    const stake = await requested()
    const before = await place()
    const hashes = [await refuse(stake.id, 1), await refuse(stake.id, 2)]
    // Left alone for ten minutes: nothing is made in its place.
    const isLeft = "select 1 from stakes where id = $1 and next_at > now() + interval '5 minutes'"
    await waitFor('the operator', async () => (await stack.db.query(isLeft, [stake.id])).length === 1)
    await pass(stake.id)
    await waitFor('the operator again', async () => (await stack.db.query(isLeft, [stake.id])).length === 1)
    expect(await paymentsOf(stake.id)).toHaveLength(2)
    expect((await runCommand(stack, 'staking', [])).out).toMatch(
      new RegExp(`^${stake.id} .* failed, failed  for the operator$`, 'm'),
    )
    const { API_INTENT_KEY } = intentEnv
    const released = await runCommand(stack, 'staking', ['retry', stake.id, '--evidence', 'case 7'], {
      API_INTENT_KEY,
    })
    expect([released.code, released.err]).toEqual([0, ''])
    await expectPaidOnce(stake, hashes, before)
    expect((await runCommand(stack, 'staking', [])).out).toBe('0 in all\n')
  })
})

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
  for (const [sink, read] of Object.entries(sinksOf(stack, redis, errors)))
    expect([sink, foundIn(await read(), traces)]).toEqual([sink, []])
})
