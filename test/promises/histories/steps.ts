import { seeded } from '../../faults/random.ts'
import { checkReached } from './checks.ts'
import { type Dice, one, pick } from './dice.ts'
import { work } from './jobs.ts'
import { type Fault, startLeader } from './leader.ts'
import { rescanBeside, rescanCrossed } from './rescans.ts'
import { round, thaw } from './rounds.ts'
import { fork, grow, makeSession, sign, someTransactions, type World } from './world.ts'

export type What = 'mine' | 'many' | 'fork' | 'back' | 'session' | 'late' | 'rescan' | 'restart' | 'tracer'

export interface Step {
  what: What
  /** Decides everything that the step leaves open. */
  seed: number
  fault: Fault | null
  /** A subscription tells the head, which may be another one when it is read. */
  told: boolean
  jobs: 'none' | 'some' | 'all'
}

/** What the step does to the chain, or to the sessions. */
async function change(world: World, { what }: Step, dice: Dice): Promise<void> {
  const { tree } = world
  if (what === 'mine') for (let i = 0; i <= pick(dice, 2); i++) grow(world, someTransactions(world, dice), dice)
  if (what === 'many') for (let i = 8 + pick(dice, 8); i > 0; i--) grow(world, dice() < 0.4 ? someTransactions(world, dice) : [], dice)
  if (what === 'fork') fork(world, dice)
  if (what === 'back') {
    const abandoned = tree.abandoned()
    if (abandoned.length === 0) return
    world.count('back to a branch that was given up')
    tree.choose(one(dice, abandoned))
    if (dice() < 0.5) grow(world, someTransactions(world, dice), dice)
  }
  if (what === 'session' || what === 'late') {
    await makeSession(world, dice)
    // Paid in the very next block, or in one that takes the place of the newest.
    if (what === 'session' && dice() < 0.7) tree.drop(1)
    const to = world.sessions.at(-1)?.address ?? ''
    const transaction = sign(world, [{ kind: 'log', contract: world.dialect.usdc, to, amount: BigInt(1 + pick(dice, 20)) }])
    if (what === 'session') grow(world, [transaction], dice, world.tick())
  }
  if (what === 'tracer') world.tracing = !world.tracing
}

export async function take(world: World, step: Step): Promise<void> {
  const dice = seeded(step.seed)
  const stale = [...world.frozen]
  let changed = false
  const changeOnce = async () => {
    if (changed) return
    changed = true
    await change(world, step, dice)
  }
  // While blocks are fetched a session is made, and the newest of them is replaced by one that pays it.
  const overtaken = step.what === 'session' && dice() < 0.7
  const ahead = overtaken ? 1 + pick(dice, 2) : 0
  for (let i = 0; i < ahead; i++) grow(world, someTransactions(world, dice), dice)
  const fault: Fault | null = overtaken ? { kind: 'change', at: 'read', after: ahead } : step.fault
  if (step.told) world.leader.tellHead()
  if (fault?.kind !== 'change') await changeOnce()
  if (step.what === 'restart') {
    await world.leader.end()
    await world.leader.loseSession()
    world.leader = await startLeader(world)
  }
  world.leader.arm(fault, changeOnce)
  if (step.what === 'rescan' && dice() < 0.5) await rescanCrossed(world, dice)
  await Promise.all([round(world), step.what === 'rescan' ? rescanBeside(world, seeded(step.seed + 1)) : null])
  world.leader.arm(null)
  if (!changed) {
    await changeOnce()
    await round(world)
  }
  if (!fault && !step.told) await checkReached(world)
  await thaw(world, dice() < 0.5 ? world.frozen : stale)
  if (step.jobs !== 'none') await work(world, dice, step.jobs === 'all' ? 1 : 0.4)
}
