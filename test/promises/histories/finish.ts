import { expect } from '@jest/globals'
import { gapsOf, untracedOf } from '../../../indexers/coverage.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import { settling } from '../../support/settling.ts'
import {
  checkDetections,
  checkReached,
  checkSessions,
  confirmedBlock,
  detectedLines,
  expectedOf,
  firstCovered,
} from './checks.ts'
import type { Dice } from './dice.ts'
import { work } from './jobs.ts'
import { rescan } from './rescans.ts'
import { round, thaw } from './rounds.ts'
import { grow, someTransactions, type World } from './world.ts'

/** Completes all pending work, then compares everything with the chain. */
export async function finish(world: World, dice: Dice): Promise<void> {
  const { tree, chain, db } = world
  await thaw(world, world.frozen)
  world.tracing = true
  const highest = tree.highest()
  // Above every height that was read, and until all sessions with an expiry have expired by final blocks.
  const short = world.sessions
    .map(({ expiresAt }) => expiresAt.getTime())
    .filter((at) => at < tree.tip().time.getTime() + 900_000)
  const confirmedTime = () => confirmedBlock(world)?.time.getTime() ?? 0
  while (tree.tip().height <= highest || confirmedTime() <= Math.max(0, ...short)) tree.mine([], 0)
  for (let i = 0; i < 3; i++) grow(world, someTransactions(world, dice), dice)
  await round(world)
  await checkReached(world)
  expect(await checkDetections(world)).toBe(true)

  const first = await firstCovered(world)
  if (first === null) throw new Error('nothing was read')
  expect(first).toBeLessThanOrEqual(world.startAt ?? Number.POSITIVE_INFINITY)
  expect(await gapsOf(db, chain.name, world.startAt)).toEqual([])

  // Missing until a rescan: payments from before their session existed, and internal transfers of untraced
  // blocks.
  await work(world, dice, 0.5)
  const expected = expectedOf(world, first)
  const missing = expected.length - (await detectedLines(world)).length
  let found = 0
  for (const gap of await untracedOf(db, chain.name))
    found += (await rescan(world, gap.from, gap.to, 'internal')).found
  expect(await untracedOf(db, chain.name)).toEqual([])
  const again = await rescan(world, first, tree.tip().height)
  expect(again.unsupported).toEqual([])
  await world.leader.finality()
  expect(found + again.found).toBe(missing)
  if (missing > 0) world.count('found by the last rescan')
  expect(await detectedLines(world)).toEqual(expected.map(({ line }) => line))

  for (let tries = 0; (await db.query('select 1 from outbox limit 1')).length > 0; tries++) {
    if (tries > 20) throw new Error('the outbox does not become empty')
    await work(world, dice, 1)
  }
  await checkSessions(world, expected)

  // Nothing is left to do: neither for a rescan nor for a repeated job.
  const before = await db.query('select * from detections order by id')
  expect(await rescan(world, first, tree.tip().height)).toMatchObject({
    found: 0,
    known: expected.length,
    unsupported: [],
  })
  expect(await db.query('select * from detections order by id')).toEqual(before)
  expect(await db.query('select 1 from outbox')).toEqual([])
  for (const { id } of world.sessions)
    expect(
      await settleSession({ ...settling, db, chains: [chain] }, { sessionId: id, outboxId: '0' }),
    ).toEqual([])
}
