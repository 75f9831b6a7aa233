import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createIndexed, forkAbove, header, type Indexed, read, transfer } from '../test/support/indexed.ts'
import type { LeaderContext } from './context.ts'
import { commitPast } from './reread.ts'
import { rewind } from './rewind.ts'

/** The finality of several payments to one session: their sum decides. */

let indexed: Indexed
let ctx: LeaderContext
const session = `0x${'b1'.repeat(20)}`
const other = `0x${'b2'.repeat(20)}`
const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const policy = { ethereum: { early: { upTo: '50', confirmations: 1 }, largeFrom: '1000' } }

beforeAll(async () => {
  indexed = await createIndexed()
  for (const address of [session, other]) await indexed.watch(address, { policy, amount: '20' })
})
beforeEach(async () => {
  await indexed.reset()
  ctx = indexed.context()
})
afterAll(() => indexed?.database.drop())

let payments = 0
const to = (address: string, whole: number, more: object = {}) =>
  transfer(BigInt(whole) * 1_000_000n, 'log:0', {
    to: address,
    txId: `0x${(++payments).toString(16).padStart(64, '0')}`,
    ...more,
  })
const commit = (...blocks: ReturnType<typeof read>[]) => indexed.commit(ctx, blocks)
const depths = async () => (await indexed.statuses()).map(({ depth }) => depth)

describe('payments to one session', () => {
  test('need few confirmations up to the limit for their sum, and the chain’s own rule above it', async () => {
    for (const [index, whole] of [30, 20, 1, 5].entries())
      await commit(read(header(index + 1), [to(session, whole)]))
    expect(await indexed.statuses()).toMatchObject([
      { depth: 1, status: 'confirmed' },
      { depth: 1, status: 'confirmed' },
      { depth: 3, status: 'seen' },
      { depth: 3, status: 'seen' },
    ])
  })

  test('must be final from the one that makes the sum a large amount', async () => {
    for (let height = 1; height <= 4; height++) await commit(read(header(height), [to(session, 300)]))
    expect(await depths()).toEqual([3, 3, 3, null])
  })

  test('in one block count as one, in any order', async () => {
    await commit(read(header(1), [to(session, 40), to(session, 40), to(other, 40)]))
    expect((await depths()).toSorted()).toEqual([1, 3, 3])
  })

  test('in several blocks get the same depths in one commit as in separate commits', async () => {
    await commit(
      read(header(1), [to(session, 40)]),
      read(header(2), [to(session, 40)]),
      read(header(3), [to(session, 900), to(session, 20)]),
    )
    expect(await depths()).toEqual([1, 3, null, null])
  })

  test('add up in USDC and USDT, but not in other assets', async () => {
    await commit(read(header(1), [to(session, 40, { contract: null }), to(session, 40, { contract: usdt })]))
    await commit(read(header(2), [to(session, 10)]), read(header(3), [to(session, 1)]))
    expect((await depths()).toSorted()).toEqual([1, 1, 3, 3])
  })

  test('do not count while reverted by a fork, and count once when they come back', async () => {
    const first = to(session, 40)
    await commit(read(header(1), [first]))
    await rewind(ctx, forkAbove(0))
    await commit(read(header(1, 'bb', 'aa'), [to(session, 45)]))
    expect(
      await indexed.database.db.query("select depth from detections where status <> 'reverted'"),
    ).toEqual([{ depth: 1 }])
    await rewind(ctx, forkAbove(0))
    await commit(
      read(header(1), [first]),
      read(header(2), [to(session, 10)]),
      read(header(3), [to(session, 1)]),
    )
    expect(
      await indexed.database.db.query(
        "select depth from detections where status <> 'reverted' order by block_height",
      ),
    ).toEqual([{ depth: 1 }, { depth: 1 }, { depth: 3 }])
  })

  test('count with all later ones if found in a reread block', async () => {
    const missed = to(session, 20)
    await commit(read(header(1)), read(header(2), [to(session, 40)]))
    await commitPast(ctx, { from: 1, to: 1 }, [read(header(1), [missed])], 'again')
    expect(await depths()).toEqual([3, 1])
  })

  test('are separate for each session', async () => {
    for (const [index, address] of [session, other].entries())
      await commit(read(header(index + 1), [to(address, 50)]))
    expect(await depths()).toEqual([1, 1])
  })
})
