import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import { newId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import {
  createIndexed,
  header,
  type Indexed,
  read,
  sender,
  transfer,
  watched,
} from '../test/support/indexed.ts'
import { waitFor } from '../test/support/waitFor.ts'
import type { IndexerContext, LeaderContext } from './context.ts'
import { reconcileBalances } from './reconcileBalances.ts'

let indexed: Indexed
let ctx: LeaderContext
let stop: AbortController
let running: Promise<void> = Promise.resolve()
/** The gains of the address, by height. */
let gains: Record<number, bigint>
let asked: number[]

beforeAll(async () => {
  indexed = await createIndexed()
  const subject = await indexed.watch(watched)
  await indexed.database.db.query(
    `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, fee, fee_currency, fx_margin_percent,
       required_confirmations, expires_at, created_at)
     values ($1, $2, 'ethereum', 'USDC', 'evm', $3, 100, 0, 'USDC', 0, 3, now() + interval '1 hour', now())`,
    [subject ?? newId(), indexed.businessId, watched],
  )
})
beforeEach(async () => {
  await indexed.reset()
  ctx = indexed.context()
  ;[stop, gains, asked] = [new AbortController(), {}, []]
})
afterEach(async () => {
  stop.abort()
  await running
})
afterAll(() => indexed?.database.drop())

const commit = (from: number, to: number, payments: Record<number, ReturnType<typeof transfer>[]> = {}) =>
  indexed.commit(
    ctx,
    Array.from({ length: to - from + 1 }, (_, index) =>
      read(header(from + index), payments[from + index] ?? []),
    ),
  )

function reconcile(change: Partial<BlockReader> = {}) {
  const reader = {
    internalMethod: 'balances',
    header: async (height: number) => header(height),
    balances: async (addresses: readonly string[], height: number) => {
      asked.push(height)
      const total = Object.entries(gains).reduce(
        (sum, [at, gain]) => (Number(at) <= height ? sum + gain : sum),
        0n,
      )
      return addresses.map((address) => (address === watched ? total : 0n))
    },
    ...change,
  } as unknown as BlockReader
  const log = createLog('test', 'silent')
  running = reconcileBalances({
    ...ctx,
    reader,
    log,
    balancesMs: 5,
    signal: stop.signal,
  } as unknown as IndexerContext)
}
const found = () =>
  indexed.database.db.query<{ height: number; key: string; amount: string; status: string }>(
    `select t.block_height::int as height, t.movement_key as key, t.amount::text as amount, d.status
     from detections d join transfers t on t.id = d.transfer_id order by t.block_height, t.movement_key`,
  )
const rounds = async (count: number) => {
  const before = asked.length
  await waitFor('more rounds', async () => asked.length >= before + count)
}

test('a balance above the recorded transfers is found in its block, once', async () => {
  gains = { 37: 5n }
  await commit(1, 60)
  reconcile()
  await waitFor('the payment', async () => (await found()).length > 0)
  expect(await found()).toEqual([{ height: 37, key: `balance:${watched}`, amount: '5', status: 'confirmed' }])
  await commit(61, 61)
  await rounds(1)
  await commit(62, 62)
  await rounds(1)
  expect(await found()).toHaveLength(1)
})

test('recorded transfers are subtracted, also in a block with an unrecorded one', async () => {
  gains = { 20: 7n, 37: 5n }
  await commit(1, 60, {
    20: [transfer(7n, 'native', { contract: null })],
    37: [transfer(3n, 'native', { contract: null, from: sender, txId: `0x${'02'.repeat(32)}` })],
  })
  reconcile()
  await waitFor('the payment', async () => (await found()).length === 3)
  expect(await found()).toMatchObject([
    { height: 20, key: 'native', amount: '7' },
    { height: 37, key: `balance:${watched}`, amount: '2' },
    { height: 37, key: 'native', amount: '3' },
  ])
})

test('blocks that may still be reorganized are not checked', async () => {
  gains = { 59: 5n }
  await commit(1, 60)
  reconcile()
  await rounds(1)
  expect([Math.max(...asked), await found()]).toEqual([58, []])
  await commit(61, 61)
  await waitFor('the payment', async () => (await found()).length === 1)
  expect(await found()).toMatchObject([{ height: 59 }])
})

test('gains in different blocks are all found, one after the other', async () => {
  gains = { 10: 1n, 20: 2n, 30: 3n }
  await commit(1, 60)
  reconcile()
  // One per round, and a round only with a new block.
  for (let height = 61; (await found()).length < 3; height++) {
    await commit(height, height)
    await rounds(1)
    if (height > 70) break
  }
  expect((await found()).map(({ height, amount }) => [height, amount])).toEqual([
    [10, '1'],
    [20, '2'],
    [30, '3'],
  ])
})

test('a provider that does not answer is retried', async () => {
  gains = { 37: 5n }
  await commit(1, 60)
  let failures = 0
  const working = { header: async (height: number) => header(height) }
  reconcile({
    ...working,
    header: async (height: number) => {
      if (failures++ < 2) throw new ProviderError('timeout')
      return header(height)
    },
  })
  await waitFor('the payment', async () => (await found()).length > 0)
  expect(failures).toBeGreaterThan(2)
})

test('no balance is requested if internal transfers are found another way', async () => {
  gains = { 37: 5n }
  await commit(1, 60)
  let rounds = 0
  const reader = {
    get internalMethod() {
      rounds++
      return 'traces'
    },
    balances: async () => {
      asked.push(0)
      return []
    },
  }
  const log = createLog('test', 'silent')
  running = reconcileBalances({
    ...ctx,
    reader,
    log,
    balancesMs: 5,
    signal: stop.signal,
  } as unknown as IndexerContext)
  await waitFor('some rounds', async () => rounds > 3)
  expect(asked).toEqual([])
})
