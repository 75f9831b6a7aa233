import { expect } from '@jest/globals'
import { readCursor } from '../../../indexers/cursor.ts'
import { type Reread, reread } from '../../../indexers/reread.ts'
import { loadWatchList } from '../../../indexers/watchList.ts'
import { ProviderError } from '../../../src/chains/chain.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import { type Db, openDirect } from '../../../src/platform/database/db.ts'
import { waitFor } from '../../support/waitFor.ts'
import { firstCovered } from './checks.ts'
import { type Dice, pick } from './dice.ts'
import { round } from './rounds.ts'
import { fork, type World } from './world.ts'

export async function rescan(
  world: World,
  from: number,
  to: number,
  what: 'again' | 'internal' = 'again',
  db: Db = world.db,
): Promise<Reread> {
  const direct = await openDirect(world.database.url, 'rescan')
  const total: Reread = { blocks: 0, found: 0, known: 0, unsupported: [] }
  try {
    const watches = await loadWatchList(direct, world.chain.family, world.chain.name)
    const { chain, dialect } = world
    const reader = dialect.readerOf(world, async () => {})
    await reader.verify()
    const ctx = { db, chain, codec: addressCodec(chain.family), reader, watches }
    await reread(
      ctx,
      { from, to },
      what,
      (piece) => {
        total.blocks += piece.blocks
        total.found += piece.found
        total.known += piece.known
        total.unsupported.push(...piece.unsupported)
      },
      new AbortController().signal,
    )
  } finally {
    await direct.close()
  }
  return total
}

/** A rescan of heights that were read, parallel to the loop; a fork meanwhile refuses it. */
export async function rescanInParallel(world: World, dice: Dice, db: Db = world.db): Promise<void> {
  const [cursor, first] = [await readCursor(world.db, world.chain.name), await firstCovered(world)]
  if (!cursor || first === null) return
  // Not below the covered range: that would extend it downwards, and everything between would have to be
  // read.
  const from = Math.max(first, cursor.height - pick(dice, 12))
  const to = Math.min(cursor.height, from + pick(dice, 10))
  if (to < from) return
  try {
    const { found, unsupported } = await rescan(world, from, to, 'again', db)
    if (found > 0) world.count('found by a rescan')
    expect(unsupported).toEqual([])
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    world.count('rescan refused')
  }
}

/**
 * The chain forks and the loop rewinds at the worst moment of a rescan: just after it has verified its
 * blocks.
 */
export async function rescanDuringFork(world: World, dice: Dice): Promise<void> {
  let rewinding: Promise<void> | null = null
  const rewind = () => {
    fork(world, dice)
    let over = false
    rewinding = round(world).finally(() => {
      over = true
    })
    rewinding.catch(() => {})
    const waits =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return waitFor(
      'the loop is done, or waits for the rescan',
      async () => over || (await world.db.query(waits)).length > 0,
    )
  }
  const interrupted: Db = {
    ...world.db,
    tx: (run) =>
      world.db.tx((tx) =>
        run({
          ...tx,
          async query<R extends object>(text: string, values?: unknown[]) {
            const rows = await tx.query<R>(text, values)
            if (rewinding === null && text.startsWith('select height, id from blocks')) await rewind()
            return rows
          },
        }),
      ),
  }
  await rescanInParallel(world, dice, interrupted)
  if (rewinding === null) return
  world.count(world.dialect.finalDepth === 0 ? 'blocks during a rescan' : 'fork during a rescan')
  await rewinding
}
