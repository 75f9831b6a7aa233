import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { businessModel } from '../src/accounts/models.ts'
import type { Block } from '../src/chains/chain.ts'
import { evmAddress } from '../src/chains/evm/address.ts'
import { configuredChains } from '../src/chains/registry.ts'
import { addWatch } from '../src/monitoring/addWatch.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { type CommitContext, commitBlock } from './commitBlock.ts'
import { FencedError, readCursor } from './cursor.ts'
import { findAncestor, mostReorgDepth, ReorgTooDeepError, rewind } from './rewind.ts'

let database: TestDatabase
let ctx: CommitContext

const [chain] = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1', ETHEREUM_CONFIRMATIONS: '3' }).chains
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const watched = `0x${'ab'.repeat(20)}`
const id = (fork: string, height: number) => `0x${fork}${String(height).padStart(62, '0')}`
const block = (height: number, fork = 'aa', parent = fork): Block => ({
  height,
  id: id(fork, height),
  parentId: id(parent, height - 1),
  time: new Date(1_700_000_000_000 + height * 12_000),
  transfers: [],
})
const transfer = (amount: bigint, key = 'log:0', contract = usdc) => ({
  txId: '0x01',
  movementKey: key,
  contract,
  from: `0x${'cd'.repeat(20)}`,
  to: watched,
  amount,
})

beforeAll(async () => {
  database = await createTestDatabase()
  const businessId = newId()
  await businessModel(database.db.sequelize).create({
    id: businessId,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  await database.db.tx((tx) => addWatch(tx, { family: 'evm', address: watched, businessId, purpose: 'session', subjectId: newId() }))
})
beforeEach(async () => {
  if (!chain) throw new Error('ethereum is in the registry')
  await database.db.query('delete from detections')
  await database.db.query('delete from transfers')
  await database.db.query('delete from blocks')
  await database.db.query('delete from outbox')
  await database.db.query(
    "insert into chain_cursors (chain, epoch) values ('ethereum', 7) on conflict (chain) do update set epoch = 7, height = null",
  )
  ctx = { db: database.db, chain, epoch: 7n, codec: evmAddress }
})
afterAll(() => database?.drop())

async function written(): Promise<unknown> {
  const [row] = await database.db.query(
    `select (select count(*)::int from blocks) as blocks, (select count(*)::int from transfers) as transfers, (select count(*)::int from detections) as detections,
       (select count(*)::int from outbox) as outbox, (select height::int from chain_cursors where chain = 'ethereum') as height`,
  )
  return row
}

test('a leader that was replaced writes nothing: no block, no detection, no cursor, no rewind', async () => {
  await commitBlock(ctx, block(1), [])
  await database.db.query("update chain_cursors set epoch = 8 where chain = 'ethereum'")
  const before = await written()
  await expect(commitBlock(ctx, block(2), [transfer(5n)])).rejects.toThrow(FencedError)
  await expect(rewind(ctx, { height: 0, id: null })).rejects.toThrow(FencedError)
  expect(await written()).toEqual(before)
})

test('heights are committed in order and once: neither a gap nor a repetition leaves a trace', async () => {
  await commitBlock(ctx, block(1), [transfer(5n)])
  const before = await written()
  await expect(commitBlock(ctx, block(1), [transfer(5n)])).rejects.toThrow(FencedError)
  await expect(commitBlock(ctx, block(3), [transfer(5n)])).rejects.toThrow(FencedError)
  expect(await written()).toEqual(before)
})

test('one transfer is one detection, whatever else its transaction holds; unknown tokens and native coin leave nothing', async () => {
  const { detected } = await commitBlock(ctx, block(1), [
    transfer(5n, 'log:0'),
    transfer(6n, 'log:1'),
    transfer(7n, 'log:2', `0x${'99'.repeat(20)}`),
    { ...transfer(8n, 'native'), contract: null },
  ])
  expect(detected).toBe(2)
  expect(await written()).toEqual({ blocks: 1, transfers: 2, detections: 2, outbox: 1, height: 1 })
})

test('a detection is confirmed by the block that makes it deep enough, and not by the one before', async () => {
  expect(await commitBlock(ctx, block(1), [transfer(5n)])).toEqual({ detected: 1, confirmed: 0 })
  expect(await commitBlock(ctx, block(2), [])).toEqual({ detected: 0, confirmed: 0 })
  expect(await commitBlock(ctx, block(3), [])).toEqual({ detected: 0, confirmed: 1 })
})

test('a rewind goes to the common ancestor, takes detections back, and a returning block revives them in the next generation', async () => {
  for (const height of [1, 2]) await commitBlock(ctx, block(height), height === 2 ? [transfer(5n)] : [])
  const reader = {
    head: async () => block(2, 'bb'),
    block: async () => null,
    header: async (height: number) => block(height, height === 2 ? 'bb' : 'aa'),
  }
  const ancestor = await findAncestor({ ...ctx, reader }, { height: 2, id: id('aa', 2) })
  expect(ancestor).toEqual({ height: 1, id: id('aa', 1) })
  expect(await rewind(ctx, ancestor)).toBe(1)
  await commitBlock(ctx, block(2, 'bb', 'aa'), [])
  expect(await rewind(ctx, ancestor)).toBe(0)
  expect((await commitBlock(ctx, block(2), [transfer(5n)])).detected).toBe(1)
  expect(
    await database.db.query(
      'select d.status, d.generation as detection, t.generation as transfer, t.canonical from detections d join transfers t on t.id = d.transfer_id',
    ),
  ).toEqual([{ status: 'seen', detection: 2, transfer: 2, canonical: true }])
  expect(await readCursor(database.db, 'ethereum')).toEqual({ height: 2, id: id('aa', 2) })
})

test('a fork deeper than the limit stops loudly and changes nothing', async () => {
  await database.db.query(
    `insert into blocks (chain, height, id, parent_id, time) select 'ethereum', h, '0xaa' || h, '0xaa' || (h - 1), now() from generate_series(1, $1::int) h`,
    [mostReorgDepth + 10],
  )
  const before = await written()
  const reader = { head: async () => block(1), block: async () => null, header: async (height: number) => block(height, 'bb') }
  await expect(findAncestor({ ...ctx, reader }, { height: mostReorgDepth + 10, id: 'x' })).rejects.toThrow(ReorgTooDeepError)
  expect(await written()).toEqual(before)
})
