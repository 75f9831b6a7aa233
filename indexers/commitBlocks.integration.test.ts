import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { internalTransfers } from '../src/chains/evm/read/internal.ts'
import {
  blockId,
  createIndexed,
  header,
  type Indexed,
  payment,
  read,
  sender,
  transfer,
  twoProviders,
  usdc,
  watched,
} from '../test/support/indexed.ts'
import { writesOf } from '../test/support/writes.ts'
import type { LeaderContext } from './context.ts'
import { FencedError, readCursor } from './cursor.ts'
import { commitPast } from './reread.ts'
import { rewind } from './rewind.ts'

let indexed: Indexed
let ctx: LeaderContext
let sessionId: string

/**
 * More watched accounts, each of a session: the business wants finality for large amounts and few
 * confirmations for small ones.
 */
const [largeSession, smallSession, secondSmall, thirdSmall] = ['b1', 'b2', 'b3', 'b4'].map(
  (byte) => `0x${byte.repeat(20)}`,
) as [string, string, string, string]
const policy = { ethereum: { early: { upTo: '50', confirmations: 1 }, largeFrom: '1000' } }

beforeAll(async () => {
  indexed = await createIndexed()
  sessionId = await indexed.watch(watched)
  await indexed.watch(largeSession, { policy, amount: '5000' })
  for (const address of [smallSession, secondSmall, thirdSmall])
    await indexed.watch(address, { policy, amount: '20' })
})
beforeEach(async () => {
  await indexed.reset()
  ctx = indexed.context()
})
afterAll(() => indexed?.database.drop())

const commit = (...blocks: ReturnType<typeof read>[]) => indexed.commit(ctx, blocks)
const native = (amount: bigint, key: string, more = {}) => transfer(amount, key, { contract: null, ...more })
const usd = (whole: number) => BigInt(whole) * 1_000_000n
const empty = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => read(header(from + index)))

describe('a commit', () => {
  test('sends its statements in four messages, also where it confirms earlier payments', async () => {
    await commit(read(header(1), [transfer(5n)]))
    await commit(read(header(2)))
    const paying = read(header(3), [transfer(6n), transfer(7n, 'log:1')])
    expect(
      await writesOf(async () => expect(await commit(paying)).toEqual({ detected: 2, confirmed: 1 })),
    ).toBe(4)
    expect(await indexed.statuses()).toMatchObject([
      { status: 'confirmed' },
      { status: 'seen' },
      { status: 'seen' },
    ])
  })

  test('by a replaced leader writes nothing: no block, no detection, no cursor, no rewind', async () => {
    await commit(read(header(1)))
    await indexed.database.db.query("update chain_cursors set epoch = 8 where chain = 'ethereum'")
    const before = await indexed.written()
    await expect(commit(read(header(2), [transfer(5n)]))).rejects.toThrow(FencedError)
    await expect(rewind(ctx, { height: 0, id: null })).rejects.toThrow(FencedError)
    expect(await indexed.written()).toEqual(before)
  })

  test('accepts heights in order and once: a gap or a repetition writes nothing', async () => {
    await commit(read(header(1), [transfer(5n)]))
    const before = await indexed.written()
    await expect(commit(read(header(1), [transfer(5n)]))).rejects.toThrow(FencedError)
    await expect(commit(read(header(3), [transfer(5n)]))).rejects.toThrow(FencedError)
    await expect(commit(read(header(1)), read(header(2)))).rejects.toThrow(FencedError)
    expect(await indexed.written()).toEqual(before)
  })

  test('of several blocks is one transaction', async () => {
    const other = transfer(6n, 'log:0', { txId: `0x${'02'.repeat(32)}` })
    expect(await commit(read(header(1), [transfer(5n)]), read(header(2)), read(header(3), [other]))).toEqual({
      detected: 2,
      confirmed: 1,
    })
    expect(await indexed.written()).toEqual({ blocks: 3, transfers: 2, detections: 2, outbox: 1, height: 3 })
    expect(await readCursor(indexed.database.db, 'ethereum')).toEqual({ height: 3, id: blockId('aa', 3) })
    const before = await indexed.written()
    const malformed = { ...transfer(7n, 'log:1'), txId: null as unknown as string }
    await expect(commit(read(header(4)), read(header(5), [malformed]))).rejects.toThrow()
    expect(await indexed.written()).toEqual(before)
  })

  test('of several blocks confirms and detects the same as one commit per block', async () => {
    const blocks = [1, 2, 3, 4, 5, 6].map((height) =>
      read(header(height), [
        transfer(BigInt(height), 'log:0', { txId: `0x${String(height).padStart(64, '0')}` }),
      ]),
    )
    await commit(...blocks)
    const together = await indexed.statuses()
    await indexed.reset()
    for (const block of blocks) await commit(block)
    expect(await indexed.statuses()).toEqual(together)
    expect(together.map(({ status }) => status)).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
      'confirmed',
      'seen',
      'seen',
    ])
  })

  test('stores one detection per transfer, also with other transfers in the transaction, and enqueues one job for its session', async () => {
    const { detected } = await commit(
      read(header(1), [transfer(5n, 'log:0'), transfer(6n, 'log:1'), native(8n, 'native')]),
    )
    expect(detected).toBe(3)
    expect(await indexed.written()).toEqual({ blocks: 1, transfers: 3, detections: 3, outbox: 1, height: 1 })
    expect(await indexed.database.db.query('select queue, payload from outbox')).toEqual([
      { queue: 'session-payment', payload: { sessionId, reason: 'seen' } },
    ])
    expect(
      await indexed.database.db.query('select distinct token, source from transfers order by token'),
    ).toEqual([
      { token: 'ETH', source: 'one' },
      { token: 'USDC', source: 'one' },
    ])
  })

  test('of a transfer to an address that is no longer watched stores no detection', async () => {
    expect(await commit(read(header(1), [transfer(5n, 'log:0', { to: `0x${'ee'.repeat(20)}` })]))).toEqual({
      detected: 0,
      confirmed: 0,
    })
    expect(await indexed.statuses()).toEqual([])
  })

  test('stores the time of the newest final block, by which sessions expire', async () => {
    const time = async () =>
      (
        await indexed.database.db.query<{ confirmed_time: Date | null }>(
          'select confirmed_time from chain_cursors',
        )
      )[0]?.confirmed_time
    await commit(...empty(1, 2))
    expect(await time()).toBeNull()
    await commit(read(header(3)))
    expect(await time()).toEqual(header(1).time)
    await commit(...empty(4, 9))
    expect(await time()).toEqual(header(7).time)
  })
})

describe('confirming', () => {
  test('happens with the block that makes a detection deep enough, not with the one before', async () => {
    expect(await commit(read(header(1), [transfer(5n)]))).toEqual({ detected: 1, confirmed: 0 })
    expect(await commit(read(header(2)))).toEqual({ detected: 0, confirmed: 0 })
    expect(await commit(read(header(3)))).toEqual({ detected: 0, confirmed: 1 })
  })

  test('follows finality, not depth, on chains with that rule', async () => {
    const tagged = { ...ctx, chain: { ...ctx.chain, byFinalizedTag: true } }
    await indexed.commit(tagged, [read(header(1), [transfer(5n)])], 0)
    expect(await indexed.statuses()).toEqual([{ key: 'log:0', status: 'seen', depth: null }])
    expect(await indexed.commit(tagged, empty(2, 40), 0)).toEqual({ detected: 0, confirmed: 0 })
    expect(await indexed.commit(tagged, [read(header(41))], 1)).toEqual({ detected: 0, confirmed: 1 })
  })

  test('follows depth on chains with the finality rule if no provider reports finality', async () => {
    const tagged = { ...ctx, chain: { ...ctx.chain, byFinalizedTag: true } }
    await indexed.commit(tagged, [read(header(1), [transfer(5n)])])
    expect(await indexed.commit(tagged, empty(2, 9))).toEqual({ detected: 0, confirmed: 0 })
    expect(await indexed.commit(tagged, [read(header(10))])).toEqual({ detected: 0, confirmed: 1 })
  })

  test('never goes above the cursor, for any reported finality', async () => {
    await indexed.commit(ctx, [read(header(1))], 1000)
    const [row] = await indexed.database.db.query<{ finalized_height: string }>(
      'select finalized_height from chain_cursors',
    )
    expect(row?.finalized_height).toBe('1')
  })

  test('waits for a second provider if there is one, at any depth', async () => {
    ctx = indexed.context(twoProviders)
    await commit(read(header(1), [transfer(5n)]), ...empty(2, 20))
    expect(await indexed.statuses()).toMatchObject([{ status: 'seen' }])
    await indexed.database.db.query('update detections set agreed_at = now()')
    expect(await commit(read(header(21)))).toEqual({ detected: 0, confirmed: 1 })
  })
})

describe('the finality of a payment', () => {
  const to = (address: string, whole: number, key: string) => transfer(usd(whole), key, { to: address })

  test("follows the business's rules: few confirmations for small amounts, finality for large ones, otherwise the chain's rule", async () => {
    await commit(
      read(header(1), [
        to(smallSession, 20, 'log:0'),
        to(secondSmall, 100, 'log:1'),
        to(thirdSmall, 1000, 'log:2'),
      ]),
    )
    expect(await indexed.statuses()).toEqual([
      { key: 'log:0', status: 'confirmed', depth: 1 },
      { key: 'log:1', status: 'seen', depth: 3 },
      { key: 'log:2', status: 'seen', depth: null },
    ])
  })

  test('is, for many small payments to a large session, that of the large amount', async () => {
    await commit(
      read(header(1), [to(largeSession, 20, 'log:0'), to(largeSession, 1, 'log:1')]),
      ...empty(2, 9),
    )
    expect(await indexed.statuses()).toEqual([
      { key: 'log:0', status: 'seen', depth: null },
      { key: 'log:1', status: 'seen', depth: null },
    ])
    expect(await commit(read(header(10)))).toEqual({ detected: 0, confirmed: 2 })
  })

  test("in the native coin is the chain's rule, for any rules of the business", async () => {
    await commit(
      read(header(1), [
        native(1n, 'native', { to: smallSession }),
        native(10n ** 24n, 'trace:0', { to: smallSession }),
      ]),
    )
    expect(await indexed.statuses()).toEqual([
      { key: 'native', status: 'seen', depth: 3 },
      { key: 'trace:0', status: 'seen', depth: 3 },
    ])
  })

  test('stays as it was when the payment was seen, also when the operator changes the limits', async () => {
    await commit(read(header(1), [to(smallSession, 100, 'log:0')]))
    ctx = indexed.context({ ETHEREUM_CONFIRMATIONS: '9' })
    await commit(...empty(2, 2))
    expect(await commit(read(header(3)))).toEqual({ detected: 0, confirmed: 1 })
  })
})

test("a validator's withdrawal to a session's address is a payment in the native coin, like an internal transfer", async () => {
  const withdrawal = native(5n, 'withdrawal:7', {
    txId: blockId('aa', 1),
    from: `0x${'0'.repeat(40)}`,
    only: 'in',
  })
  expect(await commit(read(header(1), [withdrawal]))).toMatchObject({ detected: 1 })
  expect(await indexed.database.db.query('select queue, payload from outbox')).toEqual([
    { queue: 'session-payment', payload: { sessionId, reason: 'seen' } },
  ])
  expect(await commit(...empty(2, 3))).toMatchObject({ confirmed: 1 })
  // A balance comparison finds it explained.
  const [row] = await indexed.database.db.query(
    'select sum(amount)::text as sum from transfers where contract is null and to_address = $1',
    [watched],
  )
  expect(row).toEqual({ sum: '5' })
})

describe('internal transfers', () => {
  test('from two kinds of traces are stored once: reading the block the other way finds nothing new', async () => {
    await commit(read(header(1), [native(5n, 'trace:0.1')]))
    await rewind(ctx, { height: 0, id: null })
    await commit(read(header(1), [native(5n, 'trace:0.1')]))
    const again = await commitPast(
      ctx,
      { from: 1, to: 1 },
      [read(header(1), [native(5n, 'trace:net')])],
      'internal',
    )
    expect(again).toMatchObject({ found: 0 })
    expect(await indexed.statuses()).toMatchObject([{ key: 'trace:0.1' }])
  })

  test('that two nodes number differently are stored once, and two equal ones are stored twice', async () => {
    const block = {
      number: '0x1',
      miner: largeSession,
      transactions: [{ hash: `0x${'01'.repeat(32)}`, from: sender, to: usdc }],
    }
    const frame = (type: string, to: string, value: string, calls: unknown[] = []) => ({
      type,
      from: usdc,
      to,
      value,
      calls,
    })
    const pays = frame('CALL', watched, '0x5')
    const asRead = (...calls: unknown[]) =>
      read(
        header(1),
        internalTransfers(block, 'callTracer', [
          { result: { ...frame('CALL', usdc, '0x0', calls), from: sender } },
        ]),
      )
    expect(await commit(asRead(pays, pays))).toMatchObject({ detected: 2 })
    // The other node also lists a library's code and a call without value.
    const other = asRead(
      frame('STATICCALL', sender, '0x0'),
      frame('DELEGATECALL', sender, '0x0', [pays]),
      pays,
    )
    expect(await commitPast(ctx, { from: 1, to: 1 }, [other], 'internal')).toMatchObject({
      found: 0,
      known: 2,
    })
    expect(await indexed.statuses()).toHaveLength(2)
  })

  test('found by balances are not found again by traces', async () => {
    await commit(read(header(1)), ...empty(2, 4))
    const byBalance = native(5n, `balance:${watched}`, {
      txId: blockId('aa', 1),
      from: `0x${'0'.repeat(40)}`,
    })
    await commitPast(
      ctx,
      { from: 1, to: 1 },
      [read(header(1), [byBalance], { source: 'balances' })],
      'internal',
    )
    expect(
      await commitPast(ctx, { from: 1, to: 1 }, [read(header(1), [native(5n, 'trace:0')])], 'again'),
    ).toMatchObject({ found: 0 })
  })

  test('to two watched addresses in one transaction, by balance differences, are two payments', async () => {
    const gained = { [watched]: { balance: '0x5' }, [smallSession]: { balance: '0x6' } }
    const block = {
      number: '0x1',
      miner: largeSession,
      transactions: [{ hash: `0x${'01'.repeat(32)}`, from: sender, to: usdc }],
    }
    const transfers = internalTransfers(block, 'prestateTracer', [{ result: { pre: {}, post: gained } }])
    expect(await commit(read(header(1), transfers))).toMatchObject({ detected: 2 })
  })

  test('within one transaction are separate payments', async () => {
    await commit(
      read(header(1), [
        native(5n, 'trace:0'),
        native(6n, 'trace:0.0'),
        native(7n, 'trace:1', { to: smallSession }),
      ]),
    )
    expect(await indexed.statuses()).toHaveLength(3)
  })
})

test('a token is known by its contract: the same symbol on another contract is never stored as the token', () => {
  expect(payment(transfer(1n)).asset).toMatchObject({ symbol: 'USDC', contract: usdc, decimals: 6 })
  expect(() => payment(transfer(1n, 'log:0', { contract: `0x${'99'.repeat(20)}` }))).toThrow('no asset')
})
