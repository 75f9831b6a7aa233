import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Block, type BlockReader, ProviderError, type Transfer } from '../src/chains/chain.ts'
import { getImport } from '../src/monitoring/imports.ts'
import { getMonitored } from '../src/monitoring/listMonitored.ts'
import { monitorAddresses } from '../src/monitoring/monitorAddresses.ts'
import { removeMonitored } from '../src/monitoring/removeMonitored.ts'
import type { DirectConnection } from '../src/platform/database/db.ts'
import { openDirect } from '../src/platform/database/db.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { newId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { createIndexed, header, type Indexed, read, transfer } from '../test/support/indexed.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { monitoringContext } from '../test/support/wideCaps.ts'
import type { IndexerContext } from './context.ts'
import { importBlocksLeft } from './coverage.ts'
import { importBlocks } from './importBlocks.ts'
import { loadWatchList, type WatchList } from './watchList.ts'

let indexed: Indexed
let db: ModelDb
let direct: DirectConnection
let watches: WatchList
const stopping: { stop: AbortController; running: Promise<void> }[] = []
const ethereum = { name: 'ethereum', family: 'evm' } as const
const addresses = [1, 2, 3].map((n) => `0x${`a${n}`.repeat(20)}`)

beforeAll(async () => {
  indexed = await createIndexed()
  ;({ db } = indexed.database)
  direct = await openDirect(indexed.database.url, 'a test')
})
beforeEach(async () => {
  await db.query('delete from monitoring_imports')
  await indexed.reset()
  await indexed.commit(
    indexed.context(),
    Array.from({ length: 100 }, (_, index) => read(header(index + 1))),
  )
  await db.query('update monitored_addresses set removed_at = now() where removed_at is null')
  await db.query("update watches set removed_at = now() where purpose = 'monitor' and removed_at is null")
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

/** One transfer in every block: to the first address at odd heights, from it at even ones. */
const transfersAt = (height: number): Transfer[] => {
  const [first = ''] = addresses
  const other = { [height % 2 ? 'to' : 'from']: first, [height % 2 ? 'from' : 'to']: `0x${'77'.repeat(20)}` }
  return [transfer(BigInt(height), 'log:0', { txId: `0x${String(height).padStart(64, '0')}`, ...other })]
}

/** Runs the imports on a chain changed by `change`; ends with the test. */
function importing(
  change: (height: number) => void | Promise<void> = () => {},
  inHand: Promise<unknown> = Promise.resolve(),
) {
  const stop = new AbortController()
  const asked: number[] = []
  const reader = {
    internalMethod: 'included',
    async blocks(from: number, to: number): Promise<Block[]> {
      const blocks: Block[] = []
      for (const height of heights(from, to)) {
        asked.push(height)
        await change(height)
        blocks.push({ ...header(height), transfers: transfersAt(height), source: 'one', traced: true })
      }
      return blocks
    },
  } as unknown as BlockReader
  const log = createLog('test', 'error', { write: () => {} })
  const around = { reader, watches, log, inFlight: { done: inHand }, pollMs: 10, signal: stop.signal }
  const running = importBlocks({ ...indexed.context(), ...around } as unknown as IndexerContext)
  stopping.push({ stop, running })
  return { asked, stop, running }
}

async function monitor(
  address: string | undefined,
  fromBlock: number,
  by = indexed.businessId,
): Promise<string> {
  const { importId } = await monitorAddresses(monitoringContext(db, 1000), by, {
    chain: ethereum,
    addresses: [{ address: address ?? '' }],
    fromBlock,
  })
  return importId ?? ''
}
const anotherBusiness = async (): Promise<string> => {
  const id = newId()
  await insertBusiness(db, id, 'Other', { fee: 0, margin: 0 })
  return id
}
const importOf = (id: string, by = indexed.businessId) => getImport({ db }, by, id)
const ended = (id: string, status = 'completed', by = indexed.businessId) =>
  waitFor(`that the import is ${status}`, async () => (await importOf(id, by)).status === status)
const completed = (id: string, by?: string) => ended(id, 'completed', by)
/** Ends the pause of a failed import. */
const tryAgain = () => db.query('update monitoring_imports set retry_at = null')
const detected = async () =>
  (await db.query<{ at: number }>('select block_height::int as at from detections order by 1')).map(
    ({ at }) => at,
  )
const heights = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('an address monitored from an earlier block gets all transfers since then, and no earlier ones', async () => {
  const id = await monitor(addresses[0], 31)
  expect(await importBlocksLeft(db, 'ethereum')).toBe(70)
  const { asked } = importing()
  await completed(id)
  expect(await importOf(id)).toMatchObject({
    nextBlock: 101,
    found: 70,
    progress: 1,
    lastError: null,
    completedAt: expect.any(String),
  })
  expect([asked, await detected()]).toEqual([heights(31, 100), heights(31, 100)])
  expect(await importBlocksLeft(db, 'ethereum')).toBe(0)
})

test('blocks matched before the address was watched, and committed after it, are not left out', async () => {
  const id = await monitor(addresses[0], 99)
  let commit = () => {}
  const inHand = new Promise<void>((resolve) => {
    commit = resolve
  }).then(() => indexed.commit(indexed.context(), [read(header(101)), read(header(102))]))
  const { asked } = importing(() => {}, inHand)
  await waitFor('the import to have started', async () => (await importOf(id)).status === 'running')
  expect(asked).toEqual([])
  commit()
  await completed(id)
  expect(await importOf(id)).toMatchObject({ toBlock: 102, progress: 1 })
  expect([asked, await detected()]).toEqual([heights(99, 102), heights(99, 102)])
})

test('an interrupted import continues after its last finished piece, and finds nothing twice', async () => {
  const id = await monitor(addresses[0], 1)
  const first = importing((height) => {
    if (height === 70) first.stop.abort()
  })
  await first.running
  const { nextBlock, status } = await importOf(id)
  expect([nextBlock, status]).toEqual([97, 'running'])
  const { asked } = importing()
  await completed(id)
  expect(asked).toEqual(heights(97, 100))
  expect(await detected()).toEqual(heights(1, 100))
})

test('an import whose blocks no node has shows the reason, lets the others pass, and continues once a node has them', async () => {
  let away = true
  const stuck = await monitor(addresses[0], 1)
  const theirs = await anotherBusiness()
  const other = await monitor(addresses[1], 90, theirs)
  importing((height) => {
    if (away && height < 50) throw new ProviderError('https://node.example/a-key: pruned')
  })
  await completed(other, theirs)
  await waitFor('a failed try', async () => (await importOf(stuck)).lastError !== null)
  const lastError = 'no node of ethereum can be asked just now, or no node has these blocks'
  expect(await importOf(stuck)).toMatchObject({ status: 'running', nextBlock: 1, lastError })
  away = false
  await tryAgain()
  await completed(stuck)
  expect(await importOf(stuck)).toMatchObject({ lastError: null, progress: 1 })
})

test('an import includes the addresses that joined it before its start, also those that the watch list did not have', async () => {
  const id = await monitor(addresses[2], 40)
  expect(await monitor(addresses[0], 60)).toBe(id)
  importing()
  await completed(id)
  expect(await detected()).toEqual(heights(60, 100))
})

test('a business has one import under way, for any number of requests, and another business has its turn in between', async () => {
  await db.query('update chain_cursors set height = 600')
  const theirs = await anotherBusiness()
  const long = await monitor(addresses[0], 1)
  const short = await monitor(addresses[1], 590, theirs)
  let later = ''
  const { asked } = importing(async (height) => {
    if (height === 1) later = await monitor(addresses[2], 500)
  })
  await completed(long)
  await completed(later)
  const inTurn = await db.query('select id from monitoring_imports order by completed_at')
  expect(inTurn).toEqual([{ id: short }, { id: long }, { id: later }])
  expect(asked).toEqual([
    ...heights(1, 256),
    ...heights(590, 600),
    ...heights(257, 600),
    ...heights(500, 600),
  ])
})

test('an import whose blocks no node has finally fails with a message, and frees its place; a new request tries them again', async () => {
  const monitored = { chain: ethereum, addresses: [{ address: addresses[0] ?? '' }], fromBlock: 1 }
  const add = () => monitorAddresses(monitoringContext(db, 1000), indexed.businessId, monitored)
  const first = await add()
  const id = first.importId ?? ''
  let away = true
  let later = ''
  importing(async (height) => {
    if (!away || height > 50) return
    later ||= await monitor(addresses[1], 90)
    throw new ProviderError('pruned')
  })
  await waitFor('its end', async () => {
    await tryAgain()
    return (await importOf(id)).status === 'failed'
  })
  const lastError = 'no node of ethereum had block 1, or the ones after it, in 15 tries'
  expect(await importOf(id)).toMatchObject({ lastError, nextBlock: 1, completedAt: null })
  await completed(later)
  expect(await importBlocksLeft(db, 'ethereum')).toBe(0)
  expect((await getMonitored({ db }, indexed.businessId, first.entries[0]?.view.id ?? '')).fromBlock).toBe(
    101,
  )
  away = false
  const again = (await add()).importId ?? ''
  expect(again).not.toBe(id)
  await completed(again)
  expect(await detected()).toEqual(heights(1, 100))
})

test('when an import fails, an address keeps the blocks that it had before', async () => {
  const add = (fromBlock: number) =>
    monitorAddresses(monitoringContext(db, 1000), indexed.businessId, {
      chain: ethereum,
      addresses: [{ address: addresses[0] ?? '' }],
      fromBlock,
    })
  let away = false
  importing((height) => {
    if (away && height <= 60) throw new ProviderError('pruned')
  })
  const first = await add(61)
  const fromBlock = async () =>
    (await getMonitored({ db }, indexed.businessId, first.entries[0]?.view.id ?? '')).fromBlock
  const failed = async (id: string | null) =>
    waitFor('its end', async () => {
      await tryAgain()
      return (await importOf(id ?? '')).status === 'failed'
    })
  await completed(first.importId ?? '')
  away = true
  const { importId } = await add(31)
  await waitFor('a failed try', async () => (await importOf(importId ?? '')).lastError !== null)
  const earlier = await add(1)
  expect([earlier.importId === importId, await fromBlock()]).toEqual([false, 1])
  await ended(importId ?? '', 'cancelled')
  await failed(earlier.importId)
  expect(await fromBlock()).toBe(61)
})

test('a failing import locks its addresses in the common order, in any physical order', async () => {
  const id = await monitor(addresses[0], 1)
  await monitor(addresses[1], 1)
  const [first, second] = await db.query<{ id: string }>(
    'select id from watches where import_id = $1 order by id',
    [id],
  )
  // The older one is after the newer one now.
  await db.query('update watches set all_tokens = true where id = $1', [first?.id])
  await db.query('update monitoring_imports set failures = 14 where id = $1', [id])
  await db.tx(async (tx) => {
    const lock = (watch: { id: string } | undefined) =>
      tx.query('select 1 from watches where id = $1 for update', [watch?.id])
    await lock(first)
    importing(() => {
      throw new ProviderError('pruned')
    })
    await waitFor('the wait for the first', async () => {
      const waiting = await db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length > 0
    })
    await lock(second)
  })
  await ended(id, 'failed')
  expect((await importOf(id)).lastError).toBe(
    'no node of ethereum had block 1, or the ones after it, in 15 tries',
  )
})

test('an import with an internal error lets the others pass, is retried, and does not stop the indexer', async () => {
  const theirs = await anotherBusiness()
  const broken = await monitor(addresses[0], 1)
  const other = await monitor(addresses[1], 90, theirs)
  let isBroken = true
  importing((height) => {
    if (isBroken && height < 90) throw new Error('deadlock detected')
  })
  await completed(other, theirs)
  await waitFor('a failed try', async () => (await importOf(broken)).lastError !== null)
  expect(await importOf(broken)).toMatchObject({
    status: 'running',
    lastError: 'its blocks could not be read just now',
  })
  isBroken = false
  await tryAgain()
  await completed(broken)
})

test('while no node of the chain answers, an import waits and does not fail', async () => {
  await db.query("update chain_cursors set updated_at = now() - interval '1 hour'")
  const id = await monitor(addresses[0], 1)
  let tries = 0
  importing(() => {
    tries++
    throw new ProviderError('away')
  })
  await waitFor('many tries', async () => {
    await tryAgain()
    return tries > 20
  })
  expect((await importOf(id)).status).toBe('running')
})

test('an import whose addresses were all removed is cancelled, pending or running; one with another address continues', async () => {
  const [first, second] = addresses as [string, string]
  const remove = (address: string) => removeMonitored({ db }, indexed.businessId, ethereum, address)
  const id = await monitor(first, 1)
  expect(await monitor(second, 1)).toBe(id)
  await remove(first)
  let waiting = ''
  const { asked } = importing(async (height) => {
    if (height !== 1) return
    waiting = await monitor(first, 10)
    for (const address of [first, second]) await remove(address)
    throw new ProviderError('away')
  })
  await ended(id, 'cancelled')
  await ended(waiting, 'cancelled')
  expect([asked, await importBlocksLeft(db, 'ethereum')]).toEqual([[1], 0])
})

test('detections of another business in the same blocks count only for that business', async () => {
  const theirs = await anotherBusiness()
  const mine = await monitor(addresses[1], 31)
  const other = await monitor(addresses[0], 31, theirs)
  importing()
  await completed(mine)
  await completed(other, theirs)
  expect([(await importOf(mine)).found, (await importOf(other, theirs)).found]).toEqual([0, 70])
})
