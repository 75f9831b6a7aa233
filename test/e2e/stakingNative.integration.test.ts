import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { parseUnits } from '../../src/money/amount.ts'
import { endEpoch, feesOf, lamportsOf, sendStaking, sol, solStaker } from '../support/nativeStaking.ts'
import { course } from './stakingNative/course.ts'
import { expired, forked } from './stakingNative/lost.ts'
import { changes } from './stakingNative/meanwhile.ts'
import { refusals } from './stakingNative/refusals.ts'
import {
  close,
  inState,
  open,
  request,
  stack,
  staked,
  unstake,
  withdraw,
  withdrawn,
} from './stakingNative/world.ts'

/** Native stakes on Solana: from the request to the chain's own program and back, to the lamport. */

beforeAll(open, 120_000)
afterAll(close)

describe('a native stake', course)
describe('a transaction that no block has', expired)
describe('a fork', forked)
describe('what changes while the chain is queried', changes)
describe('a request is refused by name', refusals)

test('splits at random, over epochs with rewards: no lamport is lost or made', async () => {
  const payer = await solStaker(stack)
  const before = await lamportsOf(stack, payer.address)
  const { id } = await staked(payer, '9')
  await endEpoch(stack)
  const ended: string[] = []
  let current = id
  for (const _ of Array(3)) {
    await inState(current, 'active')
    await endEpoch(stack, { rewardPerSol: randomInt(1, 5_000_000) })
    const { status, body } = await unstake(payer, current, {
      amountToUnstake: `1.${String(randomInt(0, 10 ** 9)).padStart(9, '0')}`,
    })
    expect([status, body]).toMatchObject([200, { status: 'unstaking' }])
    ended.push(current)
    await inState(current, 'deactivating')
    current = body.remainingStakeId ?? ''
  }
  await inState(current, 'active')
  await unstake(payer, current)
  ended.push(current)
  await inState(current, 'deactivating')
  await endEpoch(stack, { rewardPerSol: randomInt(1, 5_000_000) })
  let [amounts, rewards] = [0n, 0n]
  for (const each of ended) {
    await inState(each, 'inactive')
    await withdraw(payer, each)
    const done = await withdrawn(each)
    amounts += parseUnits(done.amount, 9) ?? 0n
    rewards += parseUnits(done.rewards, 9) ?? 0n
  }
  expect(amounts).toBe(9n * sol)
  expect(rewards).toBeGreaterThan(0n)
  expect(await lamportsOf(stack, payer.address)).toBe(before + rewards - (await feesOf(stack, payer.address)))
})

test('the key is in no row, log or event, also of refused requests', async () => {
  const payer = await solStaker(stack)
  const { id } = await staked(payer, '1')
  const errors = [
    await unstake(payer, id, { amountToUnstake: '9' }),
    await unstake(payer, payer.privateKey),
    await unstake(payer, id, { [payer.privateKey]: payer.privateKey }),
    await sendStaking(stack, 'stake', payer, { ...request('1'), validator: payer.privateKey }),
    await withdraw(payer, id, { chain: payer.privateKey }),
  ]
  await unstake(payer, id)
  await inState(id, 'inactive')
  await withdraw(payer, id)
  await withdrawn(id)
  await stack.idle()
  const forms = [
    payer.privateKey,
    Buffer.from(base58.decode(payer.privateKey)).toString('hex'),
    Buffer.from(base58.decode(payer.privateKey)).toString('base64'),
  ]
  const isIn = (text: string) => forms.some((form) => text.includes(form))
  expect(errors.map(({ status }) => status >= 400)).toEqual(errors.map(() => true))
  const tables = await stack.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  for (const { name } of tables) {
    const rows = await stack.db.query<{ row: string }>(`select t::text as row from "${name}" t`)
    expect([name, rows.some(({ row }) => isIn(row))]).toEqual([name, false])
  }
  expect([JSON.stringify(errors), stack.logs(), JSON.stringify(stack.receiver.received)].map(isIn)).toEqual([
    false,
    false,
    false,
  ])
  expect(isIn(JSON.stringify({ key: payer.privateKey }))).toBe(true)
})
