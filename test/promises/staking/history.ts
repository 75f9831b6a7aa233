import { newId } from '../../../src/platform/ids.ts'
import { readPlans } from '../../../src/staking/plan.ts'
import { unstake } from '../../../src/staking/unstake.ts'
import { withdraw } from '../../../src/staking/withdraw.ts'
import { provers } from '../../support/intentKeys.ts'
import { insertBusiness } from '../../support/madeBusiness.ts'
import { newPayer } from '../../support/payers.ts'
import { fundRewards, makePlan, makeStake } from '../../support/stakeRow.ts'
import { type Dice, one, pick } from '../histories/dice.ts'
import { exactPenalty, exactRewards } from './exact.ts'
import { hasEnded, requireLost, requireOwed, requirePaid, shortOf } from './found.ts'
import type { Part, Root } from './model.ts'
import { forkPayment, later, setStaked, settlePayments, work } from './payments.ts'
import { expect, type StakingWorld, saw } from './world.ts'

const steps = 30
const dayMs = 86_400_000
const chain = 'ethereum'
const staker = newPayer(chain)
const nothing = async () => {}

/** One business with its stakes, from its first one to the last payment. */
export async function runHistory(world: StakingWorld, dice: Dice): Promise<void> {
  const { db } = world.database
  const businessId = newId()
  await insertBusiness(db, businessId)
  const plan = await makePlan(db, termsOf(dice))
  const roots: Root[] = []
  let at = Date.now() - 900 * dayMs
  const moves: Record<string, () => Promise<unknown>> = {
    stake: async () => roots.push(await stake(world, businessId, plan, at, dice)),
    change: () => changePlan(world, plan, dice),
    block: () => eachOf(roots, dice, (root) => mine(world, root, at, dice)),
    fork: () => eachOf(roots, dice, (root) => fork(world, root, dice)),
    end: () => eachOf(roots, dice, (root) => end(world, businessId, root, at, dice)),
    withdraw: () => eachOf(roots, dice, (root) => request(world, businessId, root, dice)),
    settle: () => allOf(roots, (root) => settlePayments(world, root, dice)),
    unpay: () => allOf(roots, (root) => forkPayment(world, root, dice)),
    fund: () => fund(world, BigInt(pick(dice, 10 ** 5))),
  }
  const names = [
    'stake',
    'block',
    'block',
    'end',
    'end',
    'end',
    'withdraw',
    'withdraw',
    'settle',
    'settle',
    'fork',
    'unpay',
    'fund',
    'change',
  ]
  await moves.stake?.()
  for (let n = 0; n < steps; n++) {
    at += pick(dice, 12 * dayMs)
    await moves[one(dice, names)]?.()
    await follow(world, businessId, roots, dice)
  }
  for (const root of roots) await finish(world, businessId, root, at, dice)
}

const eachOf = (roots: readonly Root[], dice: Dice, work: (root: Root) => Promise<unknown>) =>
  work(one(dice, roots))

async function allOf(roots: readonly Root[], work: (root: Root) => Promise<unknown>): Promise<void> {
  for (const root of roots) await work(root)
}

const termsOf = (dice: Dice) => ({
  apy: one(dice, ['0', '5.5', '0.00000001', '137.12345678', '999.99999999']),
  penaltyPercent: one(dice, ['0', '2', '0.33333333', '100']),
  lockDays: one(dice, [0, 1, 30, 365]),
})

async function changePlan({ database, ...world }: StakingWorld, plan: string, dice: Dice): Promise<void> {
  const { apy, penaltyPercent, lockDays } = termsOf(dice)
  const sql = 'update staking_plans set apy = $2, penalty_percent = $3, lock_days = $4 where id = $1'
  await database.db.query(sql, [plan, apy, penaltyPercent, lockDays])
  saw({ database, ...world }, 'plan changed')
}

async function stake(
  world: StakingWorld,
  businessId: string,
  planId: string,
  at: number,
  dice: Dice,
): Promise<Root> {
  const { db } = world.database
  const [plan] = await readPlans(db, 'id = $1', [planId])
  if (!plan) throw new Error('no plan')
  const { apy, penaltyPercent, lockDays } = plan
  const amount = 1n + BigInt(pick(dice, 10 ** one(dice, [1, 6, 10])))
  const row = {
    planId,
    businessId,
    from: staker.address.toLowerCase(),
    amount,
    token: world.usdc,
    apy,
    penaltyPercent,
    lockDays,
  }
  const id = await makeStake(db, { ...row, createdAt: new Date(at), confirmedAt: null })
  const parts: Part[] = [{ id, amount, ended: null, isRequested: false }]
  return { id, amount, apy, penaltyPercent, lockDays, createdAt: at, blockAt: null, hasFailed: false, parts }
}

let height = 0
/** Its transaction is in a block, a few seconds after it was made; after a fork, in another one. */
async function mine(world: StakingWorld, root: Root, at: number, dice: Dice): Promise<void> {
  if (root.blockAt !== null) return
  if (root.hasFailed) saw(world, 'success of a failed stake')
  root.hasFailed = false
  root.blockAt = Math.min(root.createdAt + pick(dice, 60_000), at)
  height += 1
  world.blocks.set(height, new Date(root.blockAt))
  await setStaked(world, root.id, 'confirmed', height)
}

/** A fork takes its block away, and another block may hold its failure. */
async function fork(world: StakingWorld, root: Root, dice: Dice): Promise<void> {
  if (root.blockAt === null) return fail(world, root)
  if (root.parts.some(({ ended }) => ended)) saw(world, 'fork of an unstaked stake')
  root.blockAt = null
  await setStaked(world, root.id, 'broadcast', null)
  saw(world, 'fork of a stake')
  if (dice() < 0.3) await fail(world, root)
}

async function fail(world: StakingWorld, root: Root): Promise<void> {
  if (root.hasFailed) return
  root.hasFailed = true
  height += 1
  await setStaked(world, root.id, 'failed', height)
  if (root.parts.length > 1) saw(world, 'failure of parts')
}

/** All of a part, or some of it. */
async function end(
  world: StakingWorld,
  businessId: string,
  root: Root,
  at: number,
  dice: Dice,
): Promise<void> {
  await work(world, root)
  const part = root.parts.find(({ ended }) => !ended)
  if (!part || root.blockAt === null || part.amount === 0n) return
  const isWhole = dice() < 0.4 || part.amount === 1n
  const amount = isWhole ? part.amount : 1n + BigInt(Math.floor(dice() * Number(part.amount - 1n)))
  const text = `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`
  const request = {
    stakeId: part.id,
    chain,
    fromPrivateKey: staker.privateKey,
    ...(!isWhole && { amountToUnstake: text }),
  }
  const ctx = { ...world.ctx, prover: provers.api, now: () => new Date(at) }
  const view = await unstake(ctx, businessId, request, nothing)
  const isEarly = at < root.createdAt + root.lockDays * dayMs
  saw(world, isEarly ? 'unstaked early' : 'unstaked late')
  const penalty = isEarly ? exactPenalty(amount, root.penaltyPercent) : 0n
  part.ended = { penalty, rewards: exactRewards(amount, root.apy, at - root.blockAt) }
  const rest = part.amount - amount
  part.amount = amount
  if (rest > 0n !== (view.remainingStakeId !== null)) throw new Error('the rest is wrong')
  if (view.remainingStakeId !== null) {
    root.parts.push({ id: view.remainingStakeId, amount: rest, ended: null, isRequested: false })
    saw(world, 'part')
  }
}

async function request(world: StakingWorld, businessId: string, root: Root, dice: Dice): Promise<void> {
  const open = root.parts.filter(({ ended, isRequested }) => ended && !isRequested)
  const part = open[pick(dice, open.length)]
  if (!part) return
  if (root.hasFailed) return
  await work(world, root)
  // It failed once, and a fork took its success away before the worker saw that.
  if (root.blockAt === null && (await hasEnded(world, part.id))) return
  await withdraw(world.ctx, businessId, { stakeId: part.id, chain }, nothing)
  part.isRequested = true
  await work(world, root)
  if ((await shortOf(world, root)) > 0n) saw(world, 'short rewards')
}

async function fund(world: StakingWorld, amount: bigint): Promise<void> {
  await fundRewards(world.database.db, chain, 'USDC', amount + 1n)
  expect(world, 'rewards', amount + 1n)
  expect(world, 'staking:ethereum', amount + 1n)
}

/** The worker does what is due, but not always at once. */
async function follow(
  world: StakingWorld,
  businessId: string,
  roots: readonly Root[],
  dice: Dice,
): Promise<void> {
  if (dice() < 0.3) return
  for (const root of roots) await (dice() < 0.5 ? work(world, root) : later(world, root))
  await requireOwed(world, businessId, roots)
}

/**
 * Brings every part to its end, and counts what the books must show of it. Some transactions fail for good.
 */
async function finish(
  world: StakingWorld,
  businessId: string,
  root: Root,
  at: number,
  dice: Dice,
): Promise<void> {
  const isLost = dice() < (root.parts.some(({ isRequested }) => isRequested) ? 0.5 : 0.1)
  if (!isLost || root.blockAt !== null) await mine(world, root, at, dice)
  await work(world, root)
  if (isLost) return lose(world, root)
  while (root.parts.some(({ ended }) => !ended)) await end(world, businessId, root, at, () => 0)
  while (root.parts.some(({ isRequested }) => !isRequested)) await request(world, businessId, root, dice)
  for (let round = 0; round < 5; round++) {
    // Stakes of other histories may take the rewards.
    const short = await shortOf(world, root)
    if (short > 0n) await fund(world, short)
    await later(world, root)
    await settlePayments(world, root, null)
  }
  for (const { id, amount, ended } of root.parts) {
    const { penalty, rewards } = ended ?? { penalty: 0n, rewards: 0n }
    await requirePaid(world, id, amount - penalty, rewards)
    expect(world, 'penalties', penalty)
    expect(world, 'rewards', -rewards)
    expect(world, 'staking:ethereum', penalty - rewards)
  }
}

/** Nothing was staked after all: the business owes what was paid. */
async function lose(world: StakingWorld, root: Root): Promise<void> {
  if (root.blockAt !== null) await fork(world, root, () => 1)
  await fail(world, root)
  for (let round = 0; round < 3; round++) {
    await later(world, root)
    await settlePayments(world, root, null)
  }
  const owed = await requireLost(world, root)
  expect(world, 'receivable', owed)
  expect(world, 'staking:ethereum', -owed)
  saw(world, owed > 0n ? 'a paid stake failed for good' : 'a stake failed for good')
}
