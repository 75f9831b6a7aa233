import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Block, type BlockReader, ProviderError, type Transfer } from '../src/chains/chain.ts'
import {
  blockId,
  createIndexed,
  header,
  type Indexed,
  read,
  sender,
  transfer,
  watched,
} from '../test/support/indexed.ts'
import type { LeaderContext } from './context.ts'
import { FencedError } from './cursor.ts'
import { findPayments } from './findPayments.ts'
import { commitPast, type Reread, reread } from './reread.ts'

let indexed: Indexed
let ctx: LeaderContext
let sessionId: string

beforeAll(async () => {
  indexed = await createIndexed()
  sessionId = await indexed.watch(watched)
})
beforeEach(async () => {
  await indexed.reset()
  ctx = indexed.context()
})
afterAll(() => indexed?.database.drop())

const tx = (number: number) => `0x${String(number).padStart(64, '0')}`
const commit = (from: number, to: number, payments: Record<number, Transfer[]> = {}) =>
  indexed.commit(
    ctx,
    Array.from({ length: to - from + 1 }, (_, index) =>
      read(header(from + index), payments[from + index] ?? []),
    ),
  )
const past = (height: number, transfers: Transfer[], what: 'again' | 'internal' = 'again', fork = 'aa') =>
  commitPast(ctx, { from: height, to: height }, [read(header(height, fork), transfers)], what)

describe('reading a block again', () => {
  test('repeats nothing: no transfer, no detection, no job, no changed confirmation', async () => {
    await commit(1, 20, { 5: [transfer(5n)], 19: [transfer(6n, 'log:1', { txId: tx(2) })] })
    const before = [
      await indexed.written(),
      await indexed.statuses(),
      await indexed.database.db.query('select * from detections order by id'),
    ]
    expect(await past(5, [transfer(5n)])).toEqual({ blocks: 1, found: 0, known: 1, unsupported: [] })
    expect(await past(19, [transfer(6n, 'log:1', { txId: tx(2) })])).toMatchObject({ found: 0, known: 1 })
    expect([
      await indexed.written(),
      await indexed.statuses(),
      await indexed.database.db.query('select * from detections order by id'),
    ]).toEqual(before)
  })

  test('finds a missed payment, enqueues its session, and confirms it at once if it is deep enough', async () => {
    await commit(1, 20, { 5: [transfer(5n)] })
    await indexed.database.db.query('delete from outbox')
    expect(await past(5, [transfer(5n), transfer(7n, 'log:1')])).toEqual({
      blocks: 1,
      found: 1,
      known: 1,
      unsupported: [],
    })
    expect(await past(19, [transfer(8n, 'log:0', { txId: tx(3) })])).toMatchObject({ found: 1, known: 0 })
    expect((await indexed.statuses()).map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'seen'])
    expect(await indexed.database.db.query('select payload from outbox order by id')).toEqual([
      { payload: { sessionId, reason: 'seen' } },
      { payload: { sessionId, reason: 'seen' } },
    ])
  })

  test('does not move the start of the record down: that would make a gap', async () => {
    await commit(10, 20)
    await past(3, [transfer(5n)])
    const [cursor] = await indexed.database.db.query(
      "select covered from chain_cursors where chain = 'ethereum'",
    )
    expect(cursor).toEqual({ covered: '{[10,21)}' })
    expect(await indexed.written()).toMatchObject({ detections: 1 })
  })

  test('does not move the cursor, and works for a rescan, which does not lead', async () => {
    await commit(1, 20)
    await indexed.database.db.query("update chain_cursors set epoch = 99 where chain = 'ethereum'")
    const { epoch: _, ...rescan } = ctx
    await commitPast(rescan, { from: 5, to: 5 }, [read(header(5), [transfer(5n)])], 'again')
    expect(await indexed.written()).toMatchObject({ height: 20, detections: 1 })
  })

  test('by a replaced leader throws an error and writes nothing', async () => {
    await commit(1, 20)
    await indexed.database.db.query("update chain_cursors set epoch = 99 where chain = 'ethereum'")
    const before = await indexed.written()
    await expect(past(5, [transfer(5n)])).rejects.toThrow(FencedError)
    expect(await indexed.written()).toEqual(before)
  })

  test('refuses a block that differs from the one recorded at its height, and writes nothing', async () => {
    await commit(1, 20)
    const before = await indexed.written()
    await expect(past(5, [transfer(5n)], 'again', 'bb')).rejects.toThrow(ProviderError)
    await expect(past(21, [transfer(5n)])).rejects.toThrow(ProviderError)
    expect(await indexed.written()).toEqual(before)
  })

  test('refuses a chain that was never read', async () => {
    const { epoch: _, ...rescan } = ctx
    await expect(commitPast(rescan, { from: 5, to: 5 }, [read(header(5), [])], 'again')).rejects.toThrow(
      ProviderError,
    )
  })

  test('reports recorded payments that the chain does not have, and leaves them unchanged', async () => {
    await commit(1, 20, { 5: [transfer(5n), transfer(6n, 'log:1')] })
    expect(await past(5, [transfer(5n)])).toEqual({
      blocks: 1,
      found: 0,
      known: 1,
      unsupported: [{ height: 5, txId: `0x${'01'.repeat(32)}`, movementKey: 'log:1' }],
    })
    expect(await indexed.statuses()).toHaveLength(2)
  })

  test('does not report internal transfers, which some readings leave out', async () => {
    const native = { contract: null }
    await commit(1, 20, {
      5: [transfer(5n, 'trace:0', native), transfer(6n, `balance:${watched}`, { ...native, txId: tx(9) })],
    })
    expect(await past(5, [])).toMatchObject({ unsupported: [] })
  })

  test("reports a missing call if the reading includes the block's calls", async () => {
    const native = { contract: null }
    const [invented, inSum] = [
      transfer(5n, `trace:${sender}:${watched}:5:0`, native),
      transfer(6n, `trace:net:${watched}`, { ...native, txId: tx(9) }),
    ]
    await commit(1, 20, { 5: [invented, inSum] })
    const block = { ...read(header(5), []), reportsCalls: true }
    expect(await commitPast(ctx, { from: 5, to: 5 }, [block], 'again')).toMatchObject({
      unsupported: [{ height: 5, txId: invented.txId, movementKey: invented.movementKey }],
    })
  })

  test('adds missing headers, but only near the cursor', async () => {
    await commit(1, 3)
    await indexed.database.db.query(
      'delete from blocks where height = 2; update chain_cursors set height = 20000',
    )
    await past(2, [])
    expect(await indexed.written()).toMatchObject({ blocks: 2 })
    await indexed.database.db.query('update chain_cursors set height = 3')
    await past(2, [])
    expect(await indexed.written()).toMatchObject({ blocks: 3 })
  })
})

describe('reading a range again', () => {
  const made = (height: number, transfers: Transfer[] = []): Block => ({
    ...header(height),
    transfers,
    source: 'one',
    traced: true,
  })
  const readerOf = (change: Partial<BlockReader>) => ({ internalMethod: 'traces', ...change }) as BlockReader
  const watches = { flags: () => 1, flagsAt: () => 1, readTail: async () => {} }
  const again = async (
    reader: BlockReader,
    from: number,
    to: number,
    what: 'again' | 'internal' = 'again',
    signal = new AbortController().signal,
  ) => {
    const pieces: (Reread & { from: number; to: number })[] = []
    await reread({ ...ctx, reader, watches }, { from, to }, what, (piece) => void pieces.push(piece), signal)
    return pieces
  }

  test('goes through all heights in order, piece by piece', async () => {
    await commit(1, 100)
    const asked: number[] = []
    const reader = readerOf({
      block: async (height) => {
        asked.push(height)
        return made(height, height === 70 ? [transfer(5n)] : [])
      },
    })
    const pieces = await again(reader, 3, 90)
    expect(asked).toEqual(Array.from({ length: 88 }, (_, index) => index + 3))
    expect(pieces.map(({ from, to, found }) => [from, to, found])).toEqual([
      [3, 34, 0],
      [35, 66, 0],
      [67, 90, 1],
    ])
  })

  test('reads ranges if nothing can be traced, and only internal transfers if requested', async () => {
    await commit(1, 100)
    const ranges: number[][] = []
    const byRange = readerOf({
      internalMethod: 'events',
      blocks: async (from, to) => {
        ranges.push([from, to])
        return Array.from({ length: to - from + 1 }, (_, index) => made(from + index))
      },
    })
    await again(byRange, 1, 40)
    expect(ranges).toEqual([
      [1, 32],
      [33, 40],
    ])
    const internal = readerOf({
      internal: async (height) => made(height, [transfer(5n, 'trace:0', { contract: null, from: sender })]),
    })
    expect(await again(internal, 7, 7, 'internal')).toMatchObject([{ found: 1 }])
  })

  test('reads the tail of the watch list after fetching, so that no new address is missed', async () => {
    await commit(1, 10)
    const order: string[] = []
    const reader = readerOf({
      block: async (height) => {
        order.push(`block ${height}`)
        return made(height)
      },
    })
    const list = { flags: () => 1, flagsAt: () => 1, readTail: async () => void order.push('tail') }
    await reread(
      { ...ctx, reader, watches: list },
      { from: 4, to: 5 },
      'again',
      () => {},
      new AbortController().signal,
    )
    expect(order).toEqual(['block 4', 'block 5', 'tail'])
  })

  test('credits nothing to addresses that the watch list wrongly finds', async () => {
    await commit(1, 10)
    const [to, from] = [`0x${'ee'.repeat(20)}`, `0x${'ef'.repeat(20)}`]
    const theirs = [transfer(5n, 'log:0', { to, from }), transfer(6n, 'native', { to, from, contract: null })]
    const everything = { flags: () => 255, flagsAt: () => 255 }
    const found = await findPayments(
      { ...ctx, reader: readerOf({}), watches: { ...everything, readTail: async () => {} } },
      [made(11, [...theirs, transfer(7n, 'log:1', { from })])],
    )
    expect(found[0]?.payments.map(({ transfer: { movementKey } }) => movementKey)).toEqual([
      'log:0',
      'native',
      'log:1',
    ])
    // Only the transfer to the watched address is stored.
    expect(await indexed.commit(ctx, found)).toEqual({ detected: 1, confirmed: 0 })
    expect(await indexed.written()).toMatchObject({ height: 11, transfers: 1, detections: 1, outbox: 1 })
    // The same for blocks at or below the cursor.
    const reader = readerOf({ block: async (height) => made(height, theirs) })
    expect(await again(reader, 3, 4)).toMatchObject([{ blocks: 2, found: 0, known: 0, unsupported: [] }])
    expect(await indexed.written()).toMatchObject({ transfers: 1, detections: 1, outbox: 1 })
  })

  test('keeps finished pieces when a provider fails, and stops on its signal', async () => {
    await commit(1, 100)
    const failing = readerOf({
      block: async (height) => (height === 40 ? null : made(height, height === 9 ? [transfer(5n)] : [])),
    })
    await expect(again(failing, 1, 90)).rejects.toThrow('no provider has block 40')
    expect(await indexed.statuses()).toHaveLength(1)
    const stopping = new AbortController()
    const reader = readerOf({
      block: async (height) => {
        if (height === 20) stopping.abort()
        return made(height)
      },
    })
    expect(await again(reader, 1, 90, 'again', stopping.signal)).toHaveLength(1)
  })

  test('refuses a chain that forked meanwhile', async () => {
    await commit(1, 10)
    const forked = readerOf({ block: async (height) => ({ ...made(height), id: blockId('bb', height) }) })
    await expect(again(forked, 4, 5)).rejects.toThrow(ProviderError)
  })
})
