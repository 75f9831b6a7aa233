import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import {
  blockId,
  createIndexed,
  forkAbove,
  header,
  type Indexed,
  read,
  transfer,
  watched,
} from '../test/support/indexed.ts'
import type { LeaderContext } from './context.ts'
import { readCursor } from './cursor.ts'
import { findAncestor, ReorgTooDeepError, rewind } from './rewind.ts'

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

/** A chain that is `aa` up to a height and `bb` above it. */
const forkedAbove = (height: number): BlockReader => forkedAt({ only: height })

/** The same for several providers; the first one answers unless another is named. */
const forkedAt = (heights: Record<string, number>): BlockReader => {
  const [first = ''] = Object.keys(heights)
  return {
    header: async (at: number, source = first) => header(at, at <= (heights[source] ?? 0) ? 'aa' : 'bb'),
    sources: Object.keys(heights),
    tips: async () => Object.keys(heights).map((source) => ({ source, head: 500, finalized: null })),
  } as unknown as BlockReader
}
const ancestorOf = async (
  height: number,
  reader: BlockReader,
  recordedFinal: number | null = null,
  reorgLimit = ctx.chain.reorgLimit,
) => {
  if (recordedFinal !== null)
    await ctx.db.query('update chain_cursors set finalized_height = $1 where chain = $2', [
      recordedFinal,
      ctx.chain.name,
    ])
  return findAncestor(
    { ...ctx, chain: { ...ctx.chain, reorgLimit }, reader },
    { height, id: blockId('aa', height) },
  )
}
const commit = async (from: number, to: number, fork = 'aa') => {
  for (let height = from; height <= to; height++)
    await indexed.commit(ctx, [read(header(height, fork, height === from ? 'aa' : fork))])
}

describe('the common ancestor', () => {
  test('is the newest block that the chain still has', async () => {
    await commit(1, 10)
    expect(await ancestorOf(10, forkedAbove(6))).toEqual({ height: 6, id: blockId('aa', 6) })
    expect(await ancestorOf(10, forkedAbove(10))).toEqual({ height: 10, id: blockId('aa', 10) })
  })

  test('is below all stored blocks if the chain has no stored block', async () => {
    await commit(5, 10)
    expect(await ancestorOf(10, forkedAbove(0))).toEqual({ height: 4, id: null })
  })

  test('is found at the depth limit; one block deeper is an error and changes nothing', async () => {
    await commit(1, 12)
    expect(await ancestorOf(12, forkedAbove(7), null, 5)).toEqual({ height: 7, id: blockId('aa', 7) })
    const before = await indexed.written()
    await expect(ancestorOf(12, forkedAbove(6), null, 5)).rejects.toThrow(ReorgTooDeepError)
    expect(await indexed.written()).toEqual(before)
  })

  test('may be the finalized block, and never one below it', async () => {
    await commit(1, 12)
    expect(await ancestorOf(12, forkedAbove(9), 9)).toEqual({ height: 9, id: blockId('aa', 9) })
    await expect(ancestorOf(12, forkedAbove(8), 9)).rejects.toThrow(ReorgTooDeepError)
    // The chain is far ahead: then our own newest block is the limit.
    await expect(ancestorOf(12, forkedAbove(11), 500)).rejects.toThrow(ReorgTooDeepError)
    expect(await ancestorOf(12, forkedAbove(12), 500)).toEqual({ height: 12, id: blockId('aa', 12) })
  })

  test('is never below a block that was finalized before a restart', async () => {
    for (let height = 1; height <= 12; height++) await indexed.commit(ctx, [read(header(height))], 9)
    await expect(ancestorOf(12, forkedAbove(6))).rejects.toThrow(ReorgTooDeepError)
  })

  test('comes from a provider that still has the block, if another one reports a fork that is too deep', async () => {
    await commit(1, 12)
    expect(await ancestorOf(12, forkedAt({ liar: 2, honest: 12 }), null, 5)).toEqual({
      height: 12,
      id: blockId('aa', 12),
    })
    expect(await ancestorOf(12, forkedAt({ liar: 8, honest: 10 }), 9)).toEqual({
      height: 10,
      id: blockId('aa', 10),
    })
    await expect(ancestorOf(12, forkedAt({ liar: 8, behind: 8 }), 9)).rejects.toThrow(ReorgTooDeepError)
    await expect(ancestorOf(12, forkedAt({ one: 2, other: 4 }), null, 5)).rejects.toThrow(ReorgTooDeepError)
  })

  test('is below a confirmed payment only if no provider has its block', async () => {
    await indexed.commit(ctx, [
      read(header(1)),
      read(header(2), [transfer(5n)]),
      read(header(3)),
      read(header(4)),
      read(header(5), [transfer(6n, 'log:1')]),
    ])
    expect(await indexed.statuses()).toMatchObject([{ status: 'confirmed' }, { status: 'seen' }])
    const above = (height: number) => ({ height, id: blockId('aa', height) })
    expect(await ancestorOf(5, forkedAt({ liar: 4, honest: 5 }))).toEqual(above(4))
    await expect(ancestorOf(5, forkedAt({ liar: 1, honest: 5 }))).rejects.toThrow(/different forks/)
    await expect(ancestorOf(5, forkedAt({ ahead: 1, behind: 2 }))).rejects.toThrow(/different forks/)
    expect(await ancestorOf(5, forkedAt({ one: 1, other: 1 }))).toEqual({ ...above(1), credited: above(2) })
  })

  test('is unknown while no provider has the height: that is retried', async () => {
    await commit(1, 3)
    await expect(ancestorOf(3, { header: async () => null } as unknown as BlockReader)).rejects.toThrow(
      ProviderError,
    )
  })
})

describe('a rewind', () => {
  test('changes nothing if a block above became final, or a payment was confirmed, while the fork was read from the providers', async () => {
    await indexed.commit(ctx, [
      read(header(1)),
      read(header(2)),
      read(header(3), [transfer(5n)]),
      read(header(4)),
    ])
    const ancestor = await ancestorOf(4, forkedAt({ one: 1, other: 1 }))
    const { db } = indexed.database
    const [before, statuses] = [await indexed.written(), await indexed.statuses()]
    await db.query('update chain_cursors set finalized_height = 2')
    await expect(rewind(ctx, ancestor)).rejects.toThrow(
      new ProviderError('block 2 became final while a fork above 1 was resolved'),
    )
    expect([await indexed.written(), await indexed.statuses()]).toEqual([before, statuses])
    await db.query(
      "update chain_cursors set finalized_height = 1; update detections set status = 'confirmed', confirmed_at = now()",
    )
    await expect(rewind(ctx, ancestor)).rejects.toThrow(
      new ProviderError('a payment in block 3 was confirmed while a fork above 1 was resolved'),
    )
    expect(await indexed.written()).toEqual(before)
    // Now the providers are read for that block.
    await expect(ancestorOf(4, forkedAt({ one: 1, other: 3 }))).rejects.toThrow(/different forks/)
    expect(await rewind(ctx, await ancestorOf(4, forkedAt({ one: 1, other: 1 })))).toBe(1)
  })

  test('does not revert a payment that was confirmed below the one that the providers were read for', async () => {
    await indexed.commit(ctx, [
      read(header(1)),
      read(header(2), [transfer(5n)]),
      read(header(3)),
      read(header(4), [transfer(6n, 'log:1')]),
    ])
    const { db } = indexed.database
    await db.query(
      "update detections set status = case when block_height = 4 then 'confirmed' else 'seen' end",
    )
    const ancestor = await ancestorOf(4, forkedAt({ one: 1, other: 1 }))
    expect(ancestor.credited?.height).toBe(4)
    await db.query("update detections set status = 'confirmed'")
    await expect(rewind(ctx, ancestor)).rejects.toThrow(/a payment in block 2 was confirmed/)
  })

  test('reverts detections and enqueues their sessions once; a returning block revives them in the next generation', async () => {
    await indexed.commit(ctx, [
      read(header(1)),
      read(header(2), [transfer(5n, 'log:0'), transfer(6n, 'log:1')]),
    ])
    await indexed.database.db.query('delete from outbox')
    const ancestor = await ancestorOf(2, forkedAbove(1))
    expect(ancestor).toEqual({ height: 1, id: blockId('aa', 1) })
    expect(await rewind(ctx, ancestor)).toBe(2)
    expect(await indexed.database.db.query('select payload from outbox')).toEqual([
      { payload: { sessionId, reason: 'reverted' } },
    ])
    await indexed.commit(ctx, [read(header(2, 'bb', 'aa'))])
    expect(await rewind(ctx, ancestor)).toBe(0)
    expect(
      (await indexed.commit(ctx, [read(header(2), [transfer(5n, 'log:0'), transfer(6n, 'log:1')])])).detected,
    ).toBe(2)
    expect(
      await indexed.database.db.query(
        'select d.status, d.generation as detection, t.generation as transfer, t.canonical from detections d join transfers t on t.id = d.transfer_id',
      ),
    ).toEqual(
      Array.from({ length: 2 }, () => ({ status: 'seen', detection: 2, transfer: 2, canonical: true })),
    )
    expect(await readCursor(indexed.database.db, 'ethereum')).toEqual({ height: 2, id: blockId('aa', 2) })
  })

  test('reverts a confirmed payment; when it returns, another provider must agree again', async () => {
    await indexed.commit(ctx, [read(header(1), [transfer(5n)]), read(header(2)), read(header(3))])
    await indexed.database.db.query('update detections set agreed_at = now()')
    expect(await indexed.statuses()).toMatchObject([{ status: 'confirmed' }])
    expect(await rewind(ctx, forkAbove(0))).toBe(1)
    expect(await indexed.statuses()).toMatchObject([{ status: 'reverted' }])
    await indexed.commit(ctx, [read(header(1), [transfer(5n)])])
    expect(await indexed.database.db.query('select status, agreed_at, confirmed_at from detections')).toEqual(
      [{ status: 'seen', agreed_at: null, confirmed_at: null }],
    )
  })

  test('accepts a returning block at another height, with its payments: a Solana block id does not fix its slot', async () => {
    const misplaced = { ...header(2), id: blockId('aa', 4) }
    await indexed.commit(ctx, [read(header(1)), read(misplaced, [transfer(5n)])])
    expect(await rewind(ctx, { height: 1, id: blockId('aa', 1) })).toBe(1)
    const later = header(4)
    await indexed.commit(ctx, [read(header(2)), read(header(3)), read(later, [transfer(5n)])])
    expect(
      await indexed.database.db.query(
        `select d.status, d.block_height::int as detected, t.block_height::int as moved, t.block_time as time
         from detections d join transfers t on t.id = d.transfer_id`,
      ),
    ).toEqual([{ status: 'seen', detected: 4, moved: 4, time: later.time }])
  })

  test('leaves blocks at or below the ancestor unchanged', async () => {
    await indexed.commit(ctx, [read(header(1), [transfer(5n)]), read(header(2)), read(header(3))])
    expect(await rewind(ctx, { height: 1, id: blockId('aa', 1) })).toBe(0)
    expect(await indexed.statuses()).toMatchObject([{ status: 'confirmed' }])
  })

  test('below final blocks makes nothing in the new branch final before its depth', async () => {
    const tagged = { ...ctx, chain: { ...ctx.chain, byFinalizedTag: true } }
    await indexed.commit(
      tagged,
      Array.from({ length: 30 }, (_, index) => read(header(index + 1))),
    )
    await rewind(tagged, { height: 10, id: blockId('aa', 10) })
    await indexed.commit(tagged, [read(header(11, 'bb', 'aa'), [transfer(5n)])])
    expect(await indexed.statuses()).toMatchObject([{ status: 'seen' }])
  })
})
