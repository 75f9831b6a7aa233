import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Root } from '../../test/promises/staking/model.ts'
import { later, setPayment, setStaked, settlePayments, work } from '../../test/promises/staking/payments.ts'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { newPayer } from '../../test/support/payers.ts'
import { blockIdOf, fundRewards, makePlan, makeStake } from '../../test/support/stakeRow.ts'
import { tracedHere } from '../../test/support/tracedHere.ts'
import type { Outcome } from '../chains/sending.ts'
import { type Account, platformAccount } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { newId } from '../platform/ids.ts'
import { stepStake } from './stepStake.ts'
import { unstake } from './unstake.ts'
import { withdraw } from './withdraw.ts'

/** Forks of stakes of which a part is unstaked, or paid. */

const chain = 'ethereum'
const asset = 'ethereum:USDC'
const one = 1_000_000n
const staker = newPayer(chain)
const staked = new Date('2025-01-01T00:00:00Z')
/** 5.5 % of 100. */
const yearLater = new Date('2026-01-01T00:00:00Z')
const rewards = 5_500_000n
const nothing = async () => {}

let world: StakingWorld
let businessId: string
beforeAll(async () => {
  world = await makeStakingWorld()
  world.blocks.set(1, staked)
})
afterAll(() => world?.database.drop())
beforeEach(async () => {
  businessId = newId()
  await insertBusiness(world.database.db, businessId)
})

const ofBusiness = (name: 'stakes' | 'receivable') =>
  balanceOf(world.database.db, { name, businessId, asset } as Account)
const owed = () => ofBusiness('receivable')
const funded = () => balanceOf(world.database.db, platformAccount('rewards', asset))
const fork = (root: Root) => setStaked(world, root.id, 'broadcast', null).then(() => work(world, root))
const fail = (root: Root) => setStaked(world, root.id, 'failed', 2).then(() => work(world, root))
const mine = (root: Root) => setStaked(world, root.id, 'confirmed', 1).then(() => work(world, root))
const settle = (root: Root) => settlePayments(world, root, null)
/** Signed and sent, and in no block yet. */
const send = (root: Root) => settlePayments(world, root, () => 0.99)

async function makeRoot(apy = '5.5'): Promise<Root> {
  const { db } = world.database
  const terms = { apy, lockDays: 0, penaltyPercent: '0' }
  const row = {
    planId: await makePlan(db, terms),
    businessId,
    from: staker.address.toLowerCase(),
    amount: 100n * one,
    token: world.usdc,
    ...terms,
  }
  const id = await makeStake(db, { ...row, createdAt: staked, confirmedAt: null })
  const parts = [{ id, amount: row.amount, ended: null, isRequested: false }]
  const root = {
    id,
    amount: row.amount,
    ...terms,
    createdAt: staked.getTime(),
    blockAt: staked.getTime(),
    hasFailed: false,
    parts,
  }
  await mine(root)
  return root
}

/** @returns the id of the rest */
async function end(root: Root, amountToUnstake?: string): Promise<string> {
  const ctx = { ...world.ctx, prover: provers.api, now: () => yearLater }
  const stakeId = root.parts.at(-1)?.id ?? ''
  const request = {
    stakeId,
    chain,
    fromPrivateKey: staker.privateKey,
    ...(amountToUnstake !== undefined && { amountToUnstake }),
  }
  const { remainingStakeId } = await unstake(ctx, businessId, request, nothing)
  if (remainingStakeId !== null)
    root.parts.push({ id: remainingStakeId, amount: 0n, ended: null, isRequested: false })
  return remainingStakeId ?? ''
}

const request = (root: Root, stakeId = root.id) =>
  withdraw(world.ctx, businessId, { stakeId, chain }, nothing).then(() => work(world, root))
const fund = (amount: bigint) => fundRewards(world.database.db, chain, 'USDC', amount)

async function paymentOf(id: string): Promise<string> {
  const [row] = await world.database.db.query<{ id: string }>(
    'select intent_id as id from stake_payments where stake_id = $1',
    [id],
  )
  return row?.id ?? ''
}

const partsOf = (root: Root) =>
  world.database.db.query<{ status: string; reason: string | null }>(
    'select status, reason from stakes where root_id = $1 order by id',
    [root.id],
  )
const statusesOf = async (root: Root) => (await partsOf(root)).map(({ status }) => status)
const eventsOf = async (id: string) =>
  (
    await world.database.db.query<{ type: string }>(
      "select type from events where data->>'id' = $1 order by sequence",
      [id],
    )
  ).map(({ type }) => type)

describe('a payment that is confirmed while its stake is in no block', () => {
  test('is owed by the business, also where it is the only stake, until the stake is confirmed again', async () => {
    const root = await makeRoot('0')
    await end(root)
    await request(root)
    await send(root)
    await fork(root)
    expect([await ofBusiness('stakes'), await owed()]).toEqual([0n, 0n])
    await settle(root)
    expect([await ofBusiness('stakes'), await owed()]).toEqual([0n, 100n * one])
    await mine(root)
    expect([await ofBusiness('stakes'), await owed(), await statusesOf(root)]).toEqual([
      0n,
      0n,
      ['withdrawn'],
    ])
  })

  test('takes nothing from other stakes of the business', async () => {
    const [root, other] = [await makeRoot('0'), await makeRoot('0')]
    await end(root)
    await request(root)
    await send(root)
    await fork(root)
    await settle(root)
    expect([await ofBusiness('stakes'), await owed(), await statusesOf(other)]).toEqual([
      100n * one,
      100n * one,
      ['active'],
    ])
  })

  test('is owed no more once a fork takes it back, too', async () => {
    const root = await makeRoot('0')
    await end(root)
    await request(root)
    await settle(root)
    await fork(root)
    expect(await owed()).toBe(100n * one)
    await setPayment(world, await paymentOf(root.id), 'broadcast')
    await fail(root)
    expect([await ofBusiness('stakes'), await owed()]).toEqual([0n, 0n])
  })
})

describe('rewards that a payment sends', () => {
  test('are not given to another stake while the stake is in no block', async () => {
    await fund(rewards)
    const [root, other] = [await makeRoot(), await makeRoot()]
    await end(root)
    await request(root)
    await settle(root)
    await fork(root)
    await end(other)
    await work(world, other)
    expect([await funded(), await owed()]).toEqual([0n, 100n * one])
    await mine(root)
    expect([await ofBusiness('stakes'), await owed(), await statusesOf(root)]).toEqual([
      100n * one,
      0n,
      ['withdrawn'],
    ])
  })

  test('go back with a transaction that failed; where they are short when it succeeds after all, they are owed until they are funded', async () => {
    await fund(rewards)
    const [root, other] = [await makeRoot(), await makeRoot()]
    await end(root)
    await request(root)
    await settle(root)
    await fail(root)
    expect([await funded(), await owed()]).toEqual([rewards, 100n * one + rewards])
    await end(other)
    await mine(root)
    expect([await funded(), await owed(), await ofBusiness('stakes')]).toEqual([
      0n,
      rewards,
      100n * one + rewards,
    ])
    await fund(rewards)
    await later(world, root)
    expect([await funded(), await owed(), await ofBusiness('stakes')]).toEqual([0n, 0n, 100n * one + rewards])
  })
})

describe('the parts of a stake', () => {
  test('are paid once it is confirmed again: also one whose withdrawal was requested meanwhile', async () => {
    const root = await makeRoot('0')
    const rest = await end(root, '40')
    await end(root)
    await fork(root)
    await request(root, rest)
    expect(await paymentOf(rest)).toBe('')
    await mine(root)
    await settle(root)
    expect(await statusesOf(root)).toEqual(['unstaking', 'withdrawn'])
  })

  test('all end with a transaction that failed, also after one was paid; each goes on from where it was if it succeeds after all', async () => {
    const root = await makeRoot('0')
    const second = await end(root, '40')
    const third = await end(root, '10')
    await request(root)
    await settle(root)
    expect(await statusesOf(root)).toEqual(['withdrawn', 'unstaking', 'active'])
    await fork(root)
    await fail(root)
    const failed = { status: 'withdrawn', reason: 'reverted' }
    expect(await partsOf(root)).toEqual([{ status: 'withdrawn', reason: null }, failed, failed])
    await mine(root)
    expect((await partsOf(root)).map(({ status, reason }) => [status, reason])).toEqual([
      ['withdrawn', null],
      ['unstaking', null],
      ['active', null],
    ])
    expect(await eventsOf(second)).toEqual(['stake.unstaking', 'stake.withdrawn', 'stake.unstaking'])
    expect(await eventsOf(third)).toEqual(['stake.withdrawn', 'stake.active'])
    await request(root, second)
    await settle(root)
    expect(await statusesOf(root)).toEqual(['withdrawn', 'withdrawn', 'active'])
  })

  test('an unstaked one stays so if its transaction fails, and succeeds after all', async () => {
    const root = await makeRoot('0')
    await end(root)
    await fork(root)
    await fail(root)
    await mine(root)
    expect(await statusesOf(root)).toEqual(['unstaking'])
  })
})

test('a confirmed stake is proven again where its proof is missing, or of another transaction or block', async () => {
  const root = await makeRoot('0')
  const sql = (text: string) => world.database.db.query(text, [root.id])
  const proven = () => sql('select tx_id, block_height, block_id from stake_confirmations where root_id = $1')
  const before = await proven()
  expect(before).toHaveLength(1)
  for (const change of ["set tx_id = '0x1'", 'set block_height = 7', "set block_id = 'another'", null]) {
    await sql(
      change === null
        ? 'delete from stake_confirmations where root_id = $1'
        : `update stake_confirmations ${change} where root_id = $1`,
    )
    await sql('update stakes set next_at = now() where id = $1')
    await work(world, root)
    expect([change, await proven()]).toEqual([change, before])
  }
})

describe('a stake that its row reports as confirmed', () => {
  const confirmedAt = async ({ id }: Root) =>
    (
      await world.database.db.query<{ at: Date | null }>(
        'select confirmed_at as at from stakes where id = $1',
        [id],
      )
    )[0]?.at
  const proofsOf = ({ id }: Root) =>
    world.database.db.query('select 1 from stake_confirmations where root_id = $1', [id])
  const included = ({ id }: Root) =>
    ({
      status: 'included',
      txId: `0x${id}`,
      succeeded: true,
      reason: null,
      blockHeight: 1,
      blockId: blockIdOf(1),
      fee: 0n,
      gasUsed: null,
    }) as const
  /** The chain's own answer; the row may differ. */
  async function report(root: Root, outcome: Outcome): Promise<void> {
    world.outcomes.set(`0x${root.id}`, outcome)
    await setStaked(world, root.id, 'confirmed', 1)
    await stepStake(world.ctx, root.id)
  }

  test.each<[string, (root: Root) => Outcome]>([
    ['does not have', () => ({ status: 'absent' })],
    ['can never include', () => ({ status: 'unminable', reason: 'sequence_used', standing: 'final' })],
    ['has only seen', (root) => ({ ...included(root), standing: 'seen' })],
    ['reports as failed', (root) => ({ ...included(root), standing: 'final', succeeded: false })],
    [
      'has in another block',
      (root) => ({ ...included(root), standing: 'confirmed', blockHeight: 2, blockId: blockIdOf(2) }),
    ],
    [
      'has in a block of another branch',
      (root) => ({ ...included(root), standing: 'confirmed', blockId: 'another' }),
    ],
  ])('and that the chain %s is neither booked nor proven, until the chain has it', async (_name, outcome) => {
    const root = await makeRoot('0')
    await fork(root)
    expect(await proofsOf(root)).toEqual([])
    await report(root, outcome(root))
    expect([await confirmedAt(root), await proofsOf(root), await ofBusiness('stakes')]).toEqual([
      null,
      [],
      0n,
    ])
    await report(root, { ...included(root), standing: 'confirmed' })
    expect([await confirmedAt(root), await ofBusiness('stakes')]).toEqual([staked, 100n * one])
    expect(await proofsOf(root)).toHaveLength(1)
  })
})

test('a stake remembers its request, and its steps are linked to it once it is old', async () => {
  const traced = await tracedHere()
  try {
    const root = await traced.request(() => makeRoot())
    const [row] = await world.database.db.query(
      'select traceparent, request_id as "requestId" from stakes where id = $1',
      [root.id],
    )
    expect(row).toEqual(traced.cause)
    expect(await traced.step('step stakes')).toMatchObject({
      how: 'link',
      span: { attributes: { 'cowry.row.id': root.id } },
    })
  } finally {
    await traced.stop()
  }
})
