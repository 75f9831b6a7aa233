import { seeded } from '../../faults/random.ts'
import { checkReached } from './checks.ts'
import { type Dice, one, pick } from './dice.ts'
import { work } from './jobs.ts'
import { type Fault, startLeader } from './leader.ts'
import { rescanDuringFork, rescanInParallel } from './rescans.ts'
import { round, thaw } from './rounds.ts'
import { fork, grow, makeSession, sign, someTransactions, type World } from './world.ts'

export type StepKind =
  | 'mine'
  | 'many'
  | 'fork'
  | 'back'
  | 'session'
  | 'late'
  | 'rescan'
  | 'restart'
  | 'tracer'

export interface Step {
  what: StepKind
  /** Decides the step's random details. */
  seed: number
  fault: Fault | null
  /** A subscription reports the head, which may be another block when it is read. */
  headReported: boolean
  jobs: 'none' | 'some' | 'all'
}

/** Applies the step's change to the chain, or to the sessions. */
async function change(world: World, { what }: Step, dice: Dice): Promise<void> {
  const { tree } = world
  if (what === 'mine')
    for (let i = 0; i <= pick(dice, 2); i++) grow(world, someTransactions(world, dice), dice)
  if (what === 'many')
    for (let i = 8 + pick(dice, 8); i > 0; i--)
      grow(world, dice() < 0.4 ? someTransactions(world, dice) : [], dice)
  if (what === 'fork') fork(world, dice)
  if (what === 'back') {
    const abandoned = tree.abandoned()
    if (abandoned.length === 0) return
    world.count('back to an abandoned branch')
    tree.choose(one(dice, abandoned))
    if (dice() < 0.5) grow(world, someTransactions(world, dice), dice)
  }
  if (what === 'session' || what === 'late') {
    await makeSession(world, dice)
    // Paid in the very next block, or in one that replaces the newest.
    if (what === 'session' && dice() < 0.7) tree.drop(1)
    const to = world.sessions.at(-1)?.address ?? ''
    const transaction = sign(world, [
      { kind: 'log', contract: world.dialect.usdc, to, amount: BigInt(1 + pick(dice, 20)) },
    ])
    if (what === 'session') grow(world, [transaction], dice, world.tick())
  }
  if (what === 'tracer') world.tracing = !world.tracing
}

export async function runStep(world: World, step: Step): Promise<void> {
  const dice = seeded(step.seed)
  const stale = [...world.frozen]
  let changed = false
  const changeOnce = async () => {
    if (changed) return
    changed = true
    await change(world, step, dice)
  }
  // While blocks are fetched, a session is created, and the newest block is replaced by one that pays it.
  const overtaken = step.what === 'session' && dice() < 0.7
  const ahead = overtaken ? 1 + pick(dice, 2) : 0
  for (let i = 0; i < ahead; i++) grow(world, someTransactions(world, dice), dice)
  const fault: Fault | null = overtaken ? { kind: 'change', at: 'read', after: ahead } : step.fault
  if (step.headReported) world.leader.reportHead()
  if (fault?.kind !== 'change') await changeOnce()
  if (step.what === 'restart') {
    await world.leader.end()
    await world.leader.loseSession()
    world.leader = await startLeader(world)
  }
  world.leader.arm(fault, changeOnce)
  if (step.what === 'rescan' && dice() < 0.5) await rescanDuringFork(world, dice)
  await Promise.all([
    round(world),
    step.what === 'rescan' ? rescanInParallel(world, seeded(step.seed + 1)) : null,
  ])
  world.leader.arm(null)
  if (!changed) {
    await changeOnce()
    await round(world)
  }
  if (!fault && !step.headReported) await checkReached(world)
  await thaw(world, dice() < 0.5 ? world.frozen : stale)
  if (step.jobs !== 'none') await work(world, dice, step.jobs === 'all' ? 1 : 0.4)
}
