import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Block, type BlockReader, ProviderError, type Transfer } from '../src/chains/chain.ts'
import { getImport } from '../src/monitoring/imports.ts'
import { monitorAddresses } from '../src/monitoring/monitorAddresses.ts'
import type { Db, DirectConnection } from '../src/platform/db.ts'
import { openDirect } from '../src/platform/db.ts'
import { newId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/log.ts'
import { createIndexed, header, type Indexed, read, transfer } from '../test/support/indexed.ts'
import { waitFor } from '../test/support/waitFor.ts'
import type { IndexerContext } from './context.ts'
import { importBlocksLeft } from './coverage.ts'
import { importBlocks } from './importBlocks.ts'
import { loadWatchList, type WatchList } from './watchList.ts'

let indexed: Indexed
let db: Db
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

/** One transfer in every block, to the first address where the height is odd and from it where it is even. */
const transfersAt = (height: number): Transfer[] => {
  const [first = ''] = addresses
  const other = { [height % 2 ? 'to' : 'from']: first, [height % 2 ? 'from' : 'to']: `0x${'77'.repeat(20)}` }
  return [transfer(BigInt(height), 'log:0', { txId: `0x${String(height).padStart(64, '0')}`, ...other })]
}

/** Runs the imports beside a chain that is told as `change` says; ends with the test. */
function importing(change: (height: number) => void = () => {}, inHand: Promise<unknown> = Promise.resolve()) {
  const stop = new AbortController()
  const asked: number[] = []
  const reader = {
    internalMethod: 'included',
    async blocks(from: number, to: number): Promise<Block[]> {
      return Array.from({ length: to - from + 1 }, (_, index) => {
        const height = from + index
        asked.push(height)
        change(height)
        return { ...header(height), transfers: transfersAt(height), source: 'one', traced: true }
      })
    },
  } as unknown as BlockReader
  const log = createLog('test', 'error', { write: () => {} })
  const around = { reader, watches, log, taking: { done: inHand }, pollMs: 10, signal: stop.signal }
  const running = importBlocks({ ...indexed.context(), ...around } as unknown as IndexerContext)
  stopping.push({ stop, running })
  return { asked, stop, running }
}

async function monitor(address: string | undefined, fromBlock: number, by = indexed.businessId): Promise<string> {
  const { importId } = await monitorAddresses({ db, importBlocks: 1000 }, by, {
    chain: ethereum,
    addresses: [{ address: address ?? '' }],
    fromBlock,
  })
  return importId ?? ''
}
const importOf = (id: string, by = indexed.businessId) => getImport({ db }, by, id)
const completed = (id: string) => waitFor('the import', async () => (await importOf(id)).status === 'completed')
const detected = async () => (await db.query<{ at: number }>('select block_height::int as at from detections order by 1')).map(({ at }) => at)
const heights = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('an address that is monitored from an earlier block is told of all since then, and of nothing before', async () => {
  const id = await monitor(addresses[0], 31)
  expect(await importBlocksLeft(db, 'ethereum')).toBe(70)
  const { asked } = importing()
  await completed(id)
  expect(await importOf(id)).toMatchObject({ nextBlock: 101, found: 70, progress: 1, lastError: null, completedAt: expect.any(String) })
  expect([asked, await detected()]).toEqual([heights(31, 100), heights(31, 100)])
  expect(await importBlocksLeft(db, 'ethereum')).toBe(0)
})

test('blocks that were matched before the address was there, and are committed after it, are not left out', async () => {
  const id = await monitor(addresses[0], 99)
  let commit = () => {}
  const inHand = new Promise<void>((resolve) => {
    commit = resolve
  }).then(() => indexed.commit(indexed.context(), [read(header(101)), read(header(102))]))
  const { asked } = importing(() => {}, inHand)
  await waitFor('the import to have begun', async () => (await importOf(id)).status === 'running')
  expect(asked).toEqual([])
  commit()
  await completed(id)
  expect(await importOf(id)).toMatchObject({ toBlock: 102, progress: 1 })
  expect([asked, await detected()]).toEqual([heights(99, 102), heights(99, 102)])
})

test('one that was interrupted goes on behind the last piece that it finished, and finds nothing twice', async () => {
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

test('one whose blocks no node has says why, lets the others pass, and goes on once there is a node', async () => {
  let away = true
  const stuck = await monitor(addresses[0], 1)
  await db.query("update monitoring_imports set status = 'running' where id = $1", [stuck])
  const other = await monitor(addresses[1], 90)
  expect(other).not.toBe(stuck)
  importing((height) => {
    if (away && height < 50) throw new ProviderError('https://node.example/a-key: pruned')
  })
  await completed(other)
  const lastError = 'no node of ethereum can be asked just now, or none has these blocks'
  expect(await importOf(stuck)).toMatchObject({ status: 'running', nextBlock: 1, lastError })
  away = false
  await completed(stuck)
  expect(await importOf(stuck)).toMatchObject({ lastError: null, progress: 1 })
})

test('one that begins takes in the addresses that joined it before, whatever the watch list knew', async () => {
  const id = await monitor(addresses[2], 40)
  expect(await monitor(addresses[0], 60)).toBe(id)
  importing()
  await completed(id)
  expect(await detected()).toEqual(heights(60, 100))
})

test('a long one lets the others have their turn before it is complete', async () => {
  await db.query('update chain_cursors set height = 600')
  const long = await monitor(addresses[0], 1)
  await db.query("update monitoring_imports set status = 'running' where id = $1", [long])
  const short = await monitor(addresses[1], 590)
  const { asked } = importing()
  await completed(long)
  expect(asked).toEqual([...heights(1, 256), ...heights(590, 600), ...heights(257, 600)])
  expect((await importOf(short)).status).toBe('completed')
})

test('what is found for another business in the same blocks is counted by that one alone', async () => {
  const theirs = newId()
  await db.query("insert into businesses (id, name, fee_percent, fx_margin_percent) values ($1, 'Other', 0, 0)", [theirs])
  const mine = await monitor(addresses[1], 31)
  const other = await monitor(addresses[0], 31, theirs)
  importing()
  await completed(mine)
  await waitFor('the other import', async () => (await importOf(other, theirs)).status === 'completed')
  expect([(await importOf(mine)).found, (await importOf(other, theirs)).found]).toEqual([0, 70])
})
