import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createIndexed, header, type Indexed, read, transfer, twoProviders, watched } from '../test/support/indexed.ts'
import { advanceFinality } from './advanceFinality.ts'
import type { LeaderContext } from './context.ts'
import { FencedError } from './cursor.ts'
import { createFinalityTold } from './finality.ts'

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
const confirmed = async () => (await indexed.statuses()).filter(({ status }) => status === 'confirmed').length
const cursor = async () => {
  const [row] = await indexed.database.db.query<{ finalized: number; time: Date | null }>(
    'select finalized_height::int as finalized, confirmed_time as time from chain_cursors',
  )
  return row
}

test('what the chain calls finalized is confirmed without a new block, and once', async () => {
  await commit(10)
  expect(await advanceFinality(ctx, 4)).toBe(4)
  expect(await advanceFinality(ctx, 4)).toBe(0)
  expect(await advanceFinality(ctx, 6)).toBe(2)
  expect(await confirmed()).toBe(6)
  expect(await cursor()).toEqual({ finalized: 6, time: header(6).time })
})

test('what is finalized never goes back: a provider that lags takes nothing away', async () => {
  await commit(10)
  await advanceFinality(ctx, 8)
  expect(await advanceFinality(ctx, 3)).toBe(0)
  expect(await advanceFinality(ctx, null)).toBe(0)
  expect(await cursor()).toEqual({ finalized: 8, time: header(8).time })
})

test('nothing beyond what was read is taken for finalized', async () => {
  await commit(10)
  expect(await advanceFinality(ctx, 5000)).toBe(10)
  expect(await cursor()).toEqual({ finalized: 10, time: header(10).time })
})

test('before anything was read it does nothing', async () => {
  expect(await advanceFinality(ctx, 5000)).toBe(0)
})

test('a leader that was replaced confirms nothing', async () => {
  await commit(10)
  await indexed.database.db.query('update chain_cursors set epoch = 8')
  await expect(advanceFinality(ctx, 5)).rejects.toThrow(FencedError)
  expect(await confirmed()).toBe(0)
})

test('what another provider has agreed to since is confirmed, and nothing else', async () => {
  ctx = { ...ctx, chain: { ...ctx.chain, rpcUrls: indexed.context(twoProviders).chain.rpcUrls } }
  await commit(10)
  expect(await advanceFinality(ctx, 8)).toBe(0)
  await indexed.database.db.query('update detections set agreed_at = now() where block_height in (3, 9)')
  expect(await advanceFinality(ctx, null)).toBe(1)
  expect((await indexed.statuses()).findIndex(({ status }) => status === 'confirmed')).toBe(2)
})

test('what a provider told is remembered, the highest of it', () => {
  const told = createFinalityTold()
  expect(told.height()).toBeNull()
  told.tell(5)
  told.tell(3)
  expect(told.height()).toBe(5)
  told.tell(7)
  expect(told.height()).toBe(7)
})
