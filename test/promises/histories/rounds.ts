import { expect } from '@jest/globals'
import { FencedError, readCursor } from '../../../indexers/cursor.ts'
import { Crash, type Leader, startLeader } from './leader.ts'
import type { World } from './world.ts'

/** Lets the loop process the chain once; a leader that ended or froze is replaced. */
export async function round(world: World): Promise<void> {
  for (let state = await onceThrough(world); state !== 'waiting'; state = await onceThrough(world)) {
    await world.leader.loseSession()
    if (state === 'frozen') {
      world.frozen.push(world.leader)
      // The chain may drop the block it was about to commit, so that only its epoch fences it off.
      const cursor = await readCursor(world.db, world.chain.name)
      const left = cursor && world.tree.at(cursor.height)
      if (left && left.id === cursor.id && world.tick() % 2 === 0 && world.tree.allows(left)) {
        world.tree.choose(left)
        world.count('frozen with a dropped block')
      }
    } else {
      const failure = await world.leader.end()
      if (!(failure instanceof Crash)) throw failure
    }
    world.leader = await startLeader(world)
  }
  await world.leader.finality()
  const [row] = await world.db.query<{ taken: number; credited: number }>(
    `select count(*)::int as taken, (count(*) filter (where p.posted <> 'none'))::int as credited
     from detections d left join session_payments p on p.detection_id = d.id where d.status = 'reverted'`,
  )
  if ((row?.taken ?? 0) > 0) world.seenReverted = true
  if ((row?.credited ?? 0) > 0) world.creditedReverted = true
}

/** The loop, in parallel with the one for finality, if the chain has it. */
async function onceThrough(world: World): Promise<Awaited<ReturnType<Leader['round']>>> {
  const { leader, dialect } = world
  const [state] = await Promise.all([leader.round(), dialect.finalDepth === null ? null : leader.finality()])
  return state
}

/** Frozen leaders resume, find themselves fenced off by a newer epoch, and write nothing. */
export async function thaw(world: World, frozen: readonly Leader[]): Promise<void> {
  for (const each of frozen) {
    const before = await written(world)
    const state = await each.round()
    const failure = await each.end()
    if (failure instanceof FencedError) world.count('fenced')
    else if (state === 'ended') world.count('ended without its session')
    expect(await written(world)).toEqual(before)
  }
  world.frozen = world.frozen.filter((each) => !frozen.includes(each))
}

const written = (world: World) =>
  world.db.query(
    `select (select jsonb_agg(b order by b.height, b.id) from blocks b) as blocks, (select count(*) from transfers) as transfers,
       (select jsonb_agg(d order by d.id) from detections d) as detections, (select count(*) from outbox) as jobs, c.height, c.covered::text
     from chain_cursors c`,
  )
