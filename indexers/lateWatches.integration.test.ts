import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Block, type BlockReader, ProviderError } from '../src/chains/chain.ts'
import { changeMonitored } from '../src/monitoring/changeMonitored.ts'
import { getMonitored } from '../src/monitoring/listMonitored.ts'
import { monitorAddresses } from '../src/monitoring/monitorAddresses.ts'
import { removeMonitored } from '../src/monitoring/removeMonitored.ts'
import type { DirectConnection } from '../src/platform/database/db.ts'
import { openDirect } from '../src/platform/database/db.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { pause } from '../src/platform/wait.ts'
import { createIndexed, header, type Indexed, read, transfer, watched } from '../test/support/indexed.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { monitoringContext } from '../test/support/wideCaps.ts'
import { commitBlocks } from './commitBlocks.ts'
import { FencedError } from './cursor.ts'
import { createReportedFinality } from './finality.ts'
import { createReportedHead } from './heads.ts'
import { type FollowContext, followChain } from './indexer.ts'
import { readForLateWatches } from './lateWatches.ts'
import { createTip } from './tip.ts'
import { loadWatchList, type WatchList } from './watchList.ts'

let indexed: Indexed
let db: ModelDb
let direct: DirectConnection
let watches: WatchList
const stopping: { stop: AbortController; running: Promise<void> }[] = []
const ethereum = { name: 'ethereum', family: 'evm' } as const
const heights = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
let address = ''
let made = 0

beforeAll(async () => {
  indexed = await createIndexed()
  ;({ db } = indexed.database)
  direct = await openDirect(indexed.database.url, 'a test')
})
beforeEach(async () => {
  await indexed.reset()
  address = `0x${String(++made).padStart(40, 'a')}`
  await indexed.commit(
    indexed.context(),
    heights(1, 100).map((height) => read(header(height))),
  )
  watches = await loadWatchList(direct, 'evm', 'ethereum')
})
afterEach(async () => {
  for (const { stop, running } of stopping.splice(0)) {
    stop.abort()
    await running
  }
})
afterAll(async () => {
  await direct?.close()
  await indexed?.database.drop()
})

const blockAt = (height: number): Block => ({
  ...header(height),
  transfers: [
    transfer(BigInt(height), 'log:0', { txId: `0x${String(height).padStart(64, '0')}`, to: address }),
  ],
  source: 'one',
  traced: true,
})
const monitor = () =>
  monitorAddresses(monitoringContext(db, 1000), indexed.businessId, {
    chain: ethereum,
    addresses: [{ address }],
  })
/** Matches blocks with the current watch list, and commits them after `meanwhile`. */
async function commitAfter(from: number, to: number, meanwhile: () => Promise<unknown>): Promise<void> {
  await watches.readTail()
  const matchedWith = watches.snapshot
  const matched = heights(from, to).map((height) =>
    read(
      header(height),
      watches.has(Buffer.from(address.slice(2), 'hex')) ? [...blockAt(height).transfers] : [],
    ),
  )
  await meanwhile()
  await commitBlocks(indexed.context(), matched, { finalized: null, head: null }, matchedWith)
}
const detected = async () =>
  (await db.query<{ at: number }>('select block_height::int as at from detections order by 1')).map(
    ({ at }) => at,
  )

/** The context of a leader, on a chain with these blocks. */
function leading(
  reader: Partial<BlockReader>,
  inFlight: FollowContext['inFlight'] = { done: Promise.resolve() },
) {
  const stop = new AbortController()
  const asked: number[] = []
  const around = {
    watches,
    reader: {
      internalMethod: 'included',
      async blocks(from: number, to: number) {
        asked.push(...heights(from, to))
        return heights(from, to).map(blockAt)
      },
      ...reader,
    },
    log: createLog('test', 'error', { write: () => {} }),
    inFlight,
    pollMs: 10,
    signal: stop.signal,
  }
  const ctx = { ...indexed.context(), ...around } as unknown as FollowContext
  const run = (work: Promise<void>) => stopping.push({ stop, running: work })
  return { ctx, asked, run }
}
/** The loop that follows the chain, from a committed block. */
function following(ctx: FollowContext, at: number): Promise<void> {
  const metrics = new Proxy(
    {},
    { get: () => Object.assign(() => {}, { set() {}, inc() {} }) },
  ) as FollowContext['metrics']
  const bell: FollowContext['bell'] = { ring: () => {}, wait: (_, signal) => pause(10, signal) }
  const follow = {
    ...ctx,
    metrics,
    bell,
    reported: createReportedHead(12_000),
    tip: createTip(300_000),
    finality: createReportedFinality(),
  }
  return followChain(follow, header(at), undefined)
}
const settled = () =>
  waitFor('that all watches are settled', async () => {
    const [row] = await db.query<{ n: number }>(
      `select count(*)::int as n from watches w, chain_cursors c
       where w.added_xid is not null and (c.watches_settled is null or not pg_visible_in_snapshot(w.added_xid, c.watches_settled))`,
    )
    return row?.n === 0
  })

test('blocks matched before an address was watched, and committed after its answer promised them, are read again', async () => {
  await commitAfter(101, 103, async () => {
    const { entries } = await monitor()
    expect(entries[0]?.view.fromBlock).toBe(101)
  })
  await commitAfter(104, 104, async () => {})
  expect(await detected()).toEqual([104])
  const { ctx, asked, run } = leading({})
  run(readForLateWatches(ctx))
  await settled()
  expect([asked, await detected()]).toEqual([heights(101, 103), heights(101, 104)])
})

test('blocks that are matched but not committed when the address is added are waited for', async () => {
  const gate = Promise.withResolvers<void>()
  const inHand = commitAfter(101, 101, () => gate.promise)
  await monitor()
  const inFlight = {
    get done() {
      gate.resolve()
      return inHand
    },
  }
  const { ctx, run } = leading({}, inFlight)
  run(readForLateWatches(ctx))
  await settled()
  expect(await detected()).toEqual([101])
})

test('an address whose addition took longer than some blocks gets all transfers since the block in its answer', async () => {
  const holding = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const slow = monitorAddresses(
    monitoringContext(db, 1000),
    indexed.businessId,
    { chain: ethereum, addresses: [{ address }] },
    async () => {
      open.resolve()
      await holding.promise
    },
  )
  await open.promise
  const { ctx, run } = leading({})
  run(readForLateWatches(ctx))
  for (const height of [101, 102]) await commitAfter(height, height, async () => {})
  holding.resolve()
  const { entries } = await slow
  expect(entries[0]?.view.fromBlock).toBe(101)
  await settled()
  expect(await detected()).toEqual([101, 102])
})

test('an address that was watched in time has no block read again, also when it is changed later', async () => {
  const { entries } = await monitor()
  const id = entries[0]?.view.id ?? ''
  await commitAfter(101, 110, async () => {})
  await changeMonitored({ db }, indexed.businessId, id, { tokens: 'all' })
  const { ctx, asked, run } = leading({})
  run(readForLateWatches(ctx))
  await settled()
  await changeMonitored({ db }, indexed.businessId, id, { tokens: 'known' })
  await commitAfter(111, 111, async () => {})
  const other = await monitorAddresses(monitoringContext(db, 1000), indexed.businessId, {
    chain: ethereum,
    addresses: [{ address: `0x${'cc'.repeat(20)}` }],
  })
  expect(other.entries[0]?.view.fromBlock).toBe(112)
  await settled()
  expect([asked, await detected()]).toEqual([[], heights(101, 111)])
})

test('blocks that one leader did not read again are read by the next one', async () => {
  await commitAfter(101, 101, monitor)
  watches = await loadWatchList(direct, 'evm', 'ethereum')
  await commitAfter(102, 102, async () => {})
  const { ctx, asked, run } = leading({})
  run(readForLateWatches(ctx))
  await settled()
  expect([asked, await detected()]).toEqual([[101], [101, 102]])
})

test('a block that cannot be read for a while, for any reason, is read in the end, and nothing counts as settled before', async () => {
  await commitAfter(101, 101, monitor)
  const errors = [new ProviderError('pruned'), new Error('deadlock detected')]
  const unsettled: unknown[] = []
  const { ctx, run } = leading({
    async blocks(from: number, to: number) {
      unsettled.push(...(await db.query('select watches_settled, watches_settled_at from chain_cursors')))
      const error = errors.shift()
      if (error) throw error
      return heights(from, to).map(blockAt)
    },
  })
  run(readForLateWatches(ctx))
  await settled()
  expect(unsettled).toEqual(
    Array.from({ length: 3 }, () => ({ watches_settled: null, watches_settled_at: null })),
  )
  expect(await detected()).toEqual([101])
})

test('another leader ends the loop', async () => {
  await commitAfter(101, 101, monitor)
  const { ctx } = leading({ blocks: () => Promise.reject(new FencedError('ethereum')) })
  await expect(readForLateWatches(ctx)).rejects.toThrow(FencedError)
})

const addedDaysAgo = (days: number) =>
  db.query('update watches set effective_from = now() - make_interval(days => $2) where address = $1', [
    Buffer.from(address.slice(2), 'hex'),
    days,
  ])

test('an address added days ago, with no reread since then, gets its blocks', async () => {
  await db.query(
    "update chain_cursors set watches_settled = pg_current_snapshot(), watches_settled_at = now() - interval '4 days'",
  )
  await commitAfter(101, 101, monitor)
  await addedDaysAgo(3)
  const { ctx, run } = leading({})
  run(readForLateWatches(ctx))
  await settled()
  expect(await detected()).toEqual([101])
})

test('when transaction ids restart after a restore, blocks are read again only for new addresses', async () => {
  // Settled in the earlier database, with higher transaction ids.
  await db.query(
    "update chain_cursors set watches_settled = '9000000000:9000000000:', watches_settled_at = now() - interval '1 hour'",
  )
  await commitAfter(101, 103, monitor)
  await addedDaysAgo(3)
  address = `0x${String(++made).padStart(40, 'a')}`
  await commitAfter(104, 104, monitor)
  const { ctx, asked, run } = leading({})
  run(readForLateWatches(ctx))
  await waitFor('the detection', async () => (await detected()).length > 0)
  expect([asked, await detected()]).toEqual([[104], [104]])
})

test('of blocks matched during open additions, only those that lacked one of their watches are read again', async () => {
  const holding = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const slow = monitorAddresses(
    monitoringContext(db, 1000),
    indexed.businessId,
    { chain: ethereum, addresses: [{ address }] },
    async () => {
      open.resolve()
      await holding.promise
    },
  )
  await open.promise
  for (const height of [101, 102]) {
    // Others that are added meanwhile, in time for the blocks.
    await monitorAddresses(monitoringContext(db, 1000), indexed.businessId, {
      chain: ethereum,
      addresses: [{ address: `0x${String(++made).padStart(40, 'b')}` }],
    })
    await commitAfter(height, height, async () => {})
  }
  holding.resolve()
  await slow
  await commitAfter(103, 103, async () => {})
  const { ctx, asked, run } = leading({})
  run(readForLateWatches(ctx))
  await settled()
  expect([asked, await detected()]).toEqual([
    [101, 102],
    [101, 102, 103],
  ])
})

test('the loop that follows the chain stores the snapshot that each block was matched with', async () => {
  await indexed.watch(watched)
  await watches.readTail()
  let id = ''
  const { ctx, run } = leading({
    head: async () => header(101),
    // The next request comes while the block is matched: the address is added just then.
    block: async (height: number) => {
      if (id === 'asked') id = (await monitor()).entries[0]?.view.id ?? ''
      id ||= 'asked'
      return { ...blockAt(height), unread: [watched] }
    },
  })
  run(following(ctx, 100))
  await waitFor(
    'the block',
    async () => (await db.query('select 1 from blocks where height = 101')).length > 0,
  )
  expect((await getMonitored({ db }, indexed.businessId, id)).fromBlock).toBe(101)
  expect(await detected()).toEqual([])
  run(readForLateWatches(ctx))
  await waitFor('the detection', async () => (await detected()).length > 0)
  expect(await detected()).toEqual([101])
})

test('the loop that follows the chain finds transfers that a fork reverted and brings back, for an address removed before', async () => {
  await indexed.commit(indexed.context(), [read(header(101))])
  await monitor()
  await indexed.commit(indexed.context(), [read(header(102), [...blockAt(102).transfers])])
  await removeMonitored({ db }, indexed.businessId, ethereum, address)
  // A process that never saw the address.
  watches = await loadWatchList(direct, 'evm', 'ethereum')
  const forked = (height: number) => header(height, height > 101 ? 'bb' : 'aa', height > 102 ? 'bb' : 'aa')
  const { ctx, run } = leading({
    head: async () => forked(102),
    header: async (height: number) => forked(height),
    verify: async () => {},
    block: async (height: number) => ({ ...blockAt(height), ...forked(height) }),
  })
  run(following(ctx, 102))
  await waitFor(
    'the new block',
    async () => (await db.query('select 1 from blocks where id = $1', [forked(102).id])).length > 0,
  )
  expect(await db.query('select status from detections order by block_height, seen_at')).toEqual([
    { status: 'reverted' },
    { status: 'seen' },
  ])
})
