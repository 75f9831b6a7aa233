import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  blockId,
  createIndexed,
  header,
  type Indexed,
  read,
  transfer,
  twoProviders,
  watched,
} from '../test/support/indexed.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { advanceFinality } from './advanceFinality.ts'
import type { LeaderContext } from './context.ts'
import { FencedError, finalizedEver } from './cursor.ts'
import { createReportedFinality } from './finality.ts'
import { recordFinalized } from './recordFinalized.ts'
import { rewind, rewindIn } from './rewind.ts'

let indexed: Indexed
let ctx: LeaderContext

beforeAll(async () => {
  indexed = await createIndexed()
  await indexed.watch(watched)
})
beforeEach(async () => {
  await indexed.reset()
  const own = indexed.context()
  ctx = { ...own, chain: { ...own.chain, byFinalizedTag: true, finalizedDepth: 100 } }
})
afterAll(() => indexed?.database.drop())

const commit = (count: number) =>
  indexed.commit(
    ctx,
    Array.from({ length: count }, (_, index) =>
      read(header(index + 1), [transfer(5n, 'log:0', { txId: `0x${String(index + 1).padStart(64, '0')}` })]),
    ),
    0,
  )
const advance = (finalized: number | null, head: number | null = null) =>
  advanceFinality(ctx, { finalized, head })
const confirmed = async () => (await indexed.statuses()).filter(({ status }) => status === 'confirmed').length
const cursor = async () => {
  const [row] = await indexed.database.db.query<{ finalized: number; time: Date | null }>(
    'select finalized_height::int as finalized, confirmed_time as time from chain_cursors',
  )
  return row
}

test('a newly finalized block is confirmed without a new block, and once', async () => {
  await commit(10)
  expect(await advance(4)).toBe(4)
  expect(await advance(4)).toBe(0)
  expect(await advance(6)).toBe(2)
  expect(await confirmed()).toBe(6)
  expect(await cursor()).toEqual({ finalized: 6, time: header(6).time })
})

test('finality never decreases: a lagging provider reverts nothing', async () => {
  await commit(10)
  await advance(8)
  expect(await advance(3)).toBe(0)
  expect(await advance(null)).toBe(0)
  expect(await cursor()).toEqual({ finalized: 8, time: header(8).time })
})

test('nothing above the cursor becomes final', async () => {
  await commit(10)
  expect(await advance(5000)).toBe(10)
  expect(await cursor()).toEqual({ finalized: 10, time: header(10).time })
})

test('nothing happens before a block was read', async () => {
  expect(await advance(5000)).toBe(0)
})

test('a leader that was replaced confirms nothing', async () => {
  await commit(10)
  await indexed.database.db.query('update chain_cursors set epoch = 8')
  await expect(advance(5)).rejects.toThrow(FencedError)
  expect(await confirmed()).toBe(0)
})

test('only detections that another provider has agreed to are confirmed', async () => {
  ctx = { ...ctx, chain: { ...ctx.chain, rpcUrls: indexed.context(twoProviders).chain.rpcUrls } }
  await commit(10)
  expect(await advance(8)).toBe(0)
  await indexed.database.db.query('update detections set agreed_at = now() where block_height in (3, 9)')
  expect(await advance(null)).toBe(1)
  expect((await indexed.statuses()).findIndex(({ status }) => status === 'confirmed')).toBe(2)
})

test('with a second provider, depth and the session’s time count from the head that both have', async () => {
  const { chain } = indexed.context(twoProviders)
  ctx = { ...ctx, chain }
  await indexed.commit(
    ctx,
    Array.from({ length: 10 }, (_, index) => read(header(index + 1), index === 0 ? [transfer(5n)] : [])),
  )
  await indexed.database.db.query("update detections set agreed_at = now(), status = 'seen'")
  await indexed.database.db.query('update chain_cursors set confirmed_time = null')
  // Depth 3: block 1 is that deep where two have block 3.
  expect([await advance(null, null), (await cursor())?.time]).toEqual([0, null])
  expect([await advance(null, 2), (await cursor())?.time]).toEqual([0, null])
  expect([await advance(null, 3), (await cursor())?.time]).toEqual([1, header(1).time])
})

test('once the chain has reported finality, depth does not replace it: not after a restart, nor while no provider reports it', async () => {
  ctx = { ...ctx, chain: { ...ctx.chain, finalizedDepth: 3 } }
  await commit(10)
  expect(await confirmed()).toBe(0)
  const { db } = indexed.database
  await db.query('update chain_cursors set finalized_height = 4')
  expect([await finalizedEver(db, 'ethereum'), createReportedFinality(4).reported()]).toEqual([
    4,
    { finalized: 4, head: null },
  ])
  expect(await advance(null)).toBe(4)
  await indexed.commit(ctx, [read(header(11))])
  expect(await confirmed()).toBe(4)
  // Unless the operator configured depth.
  ctx = { ...ctx, chain: { ...ctx.chain, finalizedByDepth: true } }
  expect(await advance(null)).toBe(5)
  expect(await cursor()).toEqual({ finalized: 4, time: header(9).time })
})

test('finality is recorded only on the branch that the providers were compared with', async () => {
  await commit(10)
  const branch = (height: number, fork = 'aa') => ({ height, id: blockId(fork, height) })
  const recorded = async () => (await cursor())?.finalized
  expect([await recordFinalized(ctx, 4, branch(10)), await recorded()]).toEqual([true, 4])
  expect([await recordFinalized(ctx, 3, branch(10)), await recorded()]).toEqual([true, 4])
  // While the answers came in, a fork was resolved: block 7 is another one now.
  await rewind(ctx, { height: 6, id: blockId('aa', 6) })
  await indexed.commit(ctx, [read(header(7, 'bb', 'aa'))])
  expect([
    await recordFinalized(ctx, 8, branch(10)),
    await recordFinalized(ctx, 7, branch(7)),
    await recorded(),
  ]).toEqual([false, false, 4])
  expect([await recordFinalized(ctx, 8, branch(7, 'bb')), await recorded()]).toEqual([false, 4])
  expect([await recordFinalized(ctx, 7, branch(7, 'bb')), await recorded()]).toEqual([true, 7])
  await indexed.database.db.query('update chain_cursors set epoch = 8')
  await expect(recordFinalized(ctx, 7, branch(7, 'bb'))).rejects.toThrow(FencedError)
})

test('a rewind that is committed while finality waits for the lock is seen', async () => {
  await commit(10)
  let done: Promise<boolean> | undefined
  await ctx.db.tx(async (tx) => {
    await rewindIn(ctx, tx, { height: 6, id: blockId('aa', 6) })
    done = recordFinalized(ctx, 10, { height: 10, id: blockId('aa', 10) })
    await waitFor('the lock to be waited for', async () => {
      const [row] = await indexed.database.db.query<{ waits: boolean }>(
        "select exists (select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as waits",
      )
      return row?.waits ?? false
    })
  })
  expect([await done, (await cursor())?.finalized]).toEqual([false, 0])
})

test('the highest reported heights are remembered', () => {
  const finality = createReportedFinality()
  expect(finality.reported()).toEqual({ finalized: null, head: null })
  expect(finality.report({ finalized: 5, head: null })).toBe(true)
  expect(finality.report({ finalized: 3, head: 9 })).toBe(true)
  expect(finality.reported()).toEqual({ finalized: 5, head: 9 })
  expect(finality.report({ finalized: 5, head: 8 })).toBe(false)
  expect(finality.report({ finalized: null, head: null })).toBe(false)
  expect(finality.reported()).toEqual({ finalized: 5, head: 9 })
})
