import { expect } from '@jest/globals'
import fc from 'fast-check'
import { untracedOf } from '../../../indexers/coverage.ts'
import { crossCheckPayments } from '../../../indexers/crossCheck.ts'
import { finalizedEver, readCursor } from '../../../indexers/cursor.ts'
import { fillGaps } from '../../../indexers/fillGaps.ts'
import { createReportedFinality, followFinality } from '../../../indexers/finality.ts'
import { createReportedHead } from '../../../indexers/heads.ts'
import { type FollowContext, followChain } from '../../../indexers/indexer.ts'
import { lead } from '../../../indexers/leader.ts'
import { revertPayments } from '../../../indexers/revertPayments.ts'
import { createTip } from '../../../indexers/tip.ts'
import { loadWatchList } from '../../../indexers/watchList.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import { openDirect } from '../../../src/platform/database/db.ts'
import { createBell } from '../../../src/platform/wait.ts'
import { seeded } from '../../faults/random.ts'
import { waitFor } from '../../support/waitFor.ts'
import { checkSessions, detectedLines, expectedOf, firstCovered } from './checks.ts'
import type { ProtocolDialect } from './dialect.ts'
import { type Dice, pick } from './dice.ts'
import { type FalseAnswer, falseAnswers, type Liar, lyingView } from './falseAnswers.ts'
import { work } from './jobs.ts'
import { rescan } from './rescans.ts'
import { newWorld, type Stage } from './runHistory.ts'
import { fork, grow, makeSession, someTransactions, type World } from './world.ts'

/**
 * A history in which one of two or three providers answers falsely, with all loops of the indexer running.
 */
export interface LiarHistory {
  providers: number
  liarAt: number
  confirmations: number
  steps: { what: 'mine' | 'many' | 'fork'; lie: FalseAnswer | 'truth' | 'as before'; seed: number }[]
}

export interface LiarOutcome {
  /** Requests for block content per block, of the busiest honest provider. */
  callsPerBlock: number
  falseAnswers: Set<FalseAnswer>
}

const atOnce = { pollMs: 20, crossCheckMs: 250, blockMs: 50 }

export const liarHistories: fc.Arbitrary<LiarHistory> = fc.record({
  providers: fc.constantFrom(2, 3),
  liarAt: fc.nat(2),
  confirmations: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(
    fc.record({
      what: fc.constantFrom('mine' as const, 'mine' as const, 'many' as const, 'fork' as const),
      lie: fc.oneof(
        { weight: 4, arbitrary: fc.constant('as before' as const) },
        { weight: 1, arbitrary: fc.constant('truth' as const) },
        { weight: 5, arbitrary: fc.constantFrom(...falseAnswers) },
      ),
      seed: fc.nat(2 ** 31),
    }),
    { minLength: 6, maxLength: 10 },
  ),
})

export async function runWithLiar(
  stage: Stage,
  dialect: ProtocolDialect,
  history: LiarHistory,
): Promise<LiarOutcome> {
  const { providers, steps } = history
  const chain = {
    ...dialect.chain(history.confirmations),
    rpcUrls: Array.from({ length: providers }, () => 'http://127.0.0.1:1'),
    horizonUrls: [],
    ...atOnce,
  }
  const world = { ...(await newWorld(stage, chain, false)), isBusy: true } as World
  const dice = seeded(steps[0]?.seed ?? 0)
  const served = new Set<FalseAnswer>()
  const liar: Liar = {
    lie: null,
    salt: 0,
    served,
    invent(number, internal) {
      const to = world.addresses[number % Math.max(1, world.sessions.length)] ?? dialect.unwatched
      const transfers = [
        {
          kind: internal ? ('internal' as const) : ('log' as const),
          contract: internal ? null : dialect.usdc,
          to,
          amount: BigInt(900 + number),
        },
      ]
      return {
        id: dialect.transactionId(1_000_000 + number, transfers),
        nonce: 1_000_000 + number,
        transfers,
      }
    },
  }
  const view = lyingView(world.tree, dialect, liar)
  const calls = Array.from({ length: providers }, () => 0)
  const nodes = calls.map((_, index) => ({
    name: `node ${index}`,
    view: index === history.liarAt % providers ? view : world.tree,
    point: async () => {},
    onRequest(about: 'tip' | 'block') {
      if (about === 'block') calls[index] = (calls[index] ?? 0) + 1
    },
  }))
  const running = await startIndexing(world, dialect, nodes)
  try {
    await running.reached(5000)
    for (let i = 0; i < 3; i++) await makeSession(world, dice)
    for (const step of steps) {
      if (step.lie !== 'as before')
        Object.assign(liar, { lie: step.lie === 'truth' ? null : step.lie, salt: step.seed % 1000 })
      change(world, step.what, seeded(step.seed))
      await running.reached(120)
      await checkSafe(world)
      await work(world, dice, 0.5)
    }
    const honest = Math.max(...calls.filter((_, index) => index !== history.liarAt % providers))
    const callsPerBlock = honest / world.tree.blocks().length
    liar.lie = null
    await finishHonestly(world, dialect, running, dice, served)
    for (const lie of served) world.count(`lies about ${lie}`)
    return { callsPerBlock, falseAnswers: served }
  } finally {
    await running.end()
  }
}

function change(world: World, what: LiarHistory['steps'][number]['what'], dice: Dice): void {
  if (what === 'fork' && world.dialect.finalDepth !== 0) {
    fork(world, dice)
    return
  }
  const count = what === 'many' ? 4 + pick(dice, 5) : 1 + pick(dice, 3)
  for (let i = 0; i < count; i++) grow(world, someTransactions(world, dice), dice)
}

interface Indexing {
  /** Waits until the tip is read, but not forever: a liar can prevent it. */
  reached(withinMs: number): Promise<boolean>
  end(): Promise<void>
}

async function startIndexing(
  world: World,
  dialect: ProtocolDialect,
  nodes: Parameters<ProtocolDialect['readerOver']>[0],
): Promise<Indexing> {
  const { db, chain, tree } = world
  const direct = await openDirect(world.database.url, 'histories with a liar')
  const watches = await loadWatchList(direct, chain.family, chain.name)
  const stopping = new AbortController()
  const leadership = await lead(direct, chain.name, stopping.signal, async () => {})
  if (!leadership) throw new Error('leadership was aborted')
  const ctx: FollowContext = {
    db,
    chain,
    codec: addressCodec(chain.family),
    epoch: leadership.epoch,
    reader: dialect.readerOver(nodes, atOnce),
    watches,
    inFlight: { done: Promise.resolve() },
    metrics: world.metrics,
    log: world.log,
    bell: createBell(),
    reported: createReportedHead(chain.blockMs),
    finality: createReportedFinality(await finalizedEver(db, chain.name)),
    tip: createTip(300_000),
    pollMs: atOnce.pollMs,
    crossCheckMs: atOnce.crossCheckMs,
    balancesMs: 1000,
    signal: stopping.signal,
  }
  let failure: unknown
  const loops = [
    followChain(ctx, await readCursor(db, chain.name), world.startAt),
    followFinality(ctx),
    crossCheckPayments(ctx),
    fillGaps(ctx, world.startAt),
  ]
  const ended = Promise.all(
    loops.map((loop) =>
      loop.catch((error: unknown) => {
        failure ??= error
        stopping.abort()
      }),
    ),
  )
  return {
    async reached(withinMs) {
      const at = async () => {
        if (failure) throw failure
        return (await readCursor(db, chain.name))?.id === tree.tip().id
      }
      const is = await waitFor('the tip', at, withinMs).catch(() => false)
      if (failure) throw failure
      return is
    },
    async end() {
      stopping.abort()
      await ended
      leadership.close()
      await direct.query('select pg_advisory_unlock_all()').catch(() => {})
      await direct.close()
    },
  }
}

const confirmedLines = (world: World) =>
  detectedLines(world).then((lines) => lines.filter((line) => line.endsWith(' confirmed')))

/** Every credited payment is in a block of the honest chain, on any branch. */
async function checkSafe(world: World): Promise<void> {
  const honest = new Set<string>()
  const confirmed = await world.db.query<{ block_id: string; line: string }>(
    `select t.block_id, concat_ws(' ', t.block_id, t.tx_id, t.movement_key, t.to_address, t.amount) as line
     from detections d join transfers t on t.id = d.transfer_id where d.status = 'confirmed'`,
  )
  for (const { block_id } of confirmed) {
    const block = world.tree.named(block_id)
    for (const { txId, movementKey, to, amount } of block ? world.dialect.transfersOf(block) : [])
      honest.add([block_id, txId, movementKey, to, amount].join(' '))
  }
  expect(confirmed.map(({ line }) => line).filter((line) => !honest.has(line))).toEqual([])
}

/**
 * After the false answers: a rescan finds omitted payments and reverts invented ones, and the database
 * matches the chain.
 */
async function finishHonestly(
  world: World,
  dialect: ProtocolDialect,
  running: Indexing,
  dice: Dice,
  served: ReadonlySet<FalseAnswer>,
): Promise<void> {
  const { db, tree, chain } = world
  const highest = tree.highest()
  while (tree.tip().height <= highest) tree.mine([], 0)
  for (let i = 0; i < 8; i++) grow(world, i < 2 ? someTransactions(world, dice) : [], dice)
  expect(await running.reached(60_000)).toBe(true)
  const first = await firstCovered(world)
  if (first === null) throw new Error('nothing was read')
  await waitFor(
    'every block to be traced',
    async () => !dialect.separateCalls || (await untracedOf(db, chain.name)).length === 0,
    60_000,
  )
  const again = await rescan(world, first, tree.tip().height)
  if (again.found > 0) world.count('omitted until a rescan', again.found)
  if (again.unsupported.length > 0)
    world.count('invented, never credited, reverted by a rescan', again.unsupported.length)
  if (!served.has('content') && !served.has('trace'))
    expect(again).toMatchObject({ found: 0, unsupported: [] })
  if (again.unsupported.length > 0) {
    await revertPayments({ db, chain, codec: addressCodec(chain.family) }, again.unsupported)
    for (const height of new Set(again.unsupported.map((each) => each.height)))
      await rescan(world, height, height)
  }
  const expected = () => expectedOf(world, first)
  await waitFor(
    'all final payments to be confirmed',
    async () => {
      const lines = await confirmedLines(world)
      return lines.length === expected().filter(({ line }) => line.endsWith(' confirmed')).length
    },
    60_000,
  ).catch(() => {})
  await checkSafe(world)
  expect(await detectedLines(world)).toEqual(expected().map(({ line }) => line))
  for (let tries = 0; (await db.query('select 1 from outbox limit 1')).length > 0; tries++) {
    if (tries > 20) throw new Error('the outbox does not become empty')
    await work(world, dice, 1)
  }
  await checkSessions(world, expected())
}
