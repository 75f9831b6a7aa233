import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Block, ProviderError } from '../src/chains/chain.ts'
import { header } from '../test/support/madeBlocks.ts'
import { createBlockSource } from './blockSource.ts'

const made = (height: number): Block => ({ ...header(height), transfers: [], source: 'one', traced: true })

/** A chain up to a height, with the requests it received. */
function chainUpTo(
  top: number,
  { wait = async () => {}, now }: { wait?: () => Promise<void>; now?: () => number } = {},
) {
  const chain = { top, asked: [] as string[], underWay: 0, maxUnderWay: 0 }
  const counted = async <T>(what: string, answer: () => T): Promise<T> => {
    chain.asked.push(what)
    chain.maxUnderWay = Math.max(chain.maxUnderWay, ++chain.underWay)
    await wait()
    chain.underWay--
    return answer()
  }
  const source = createBlockSource(
    {
      block: (height) => counted(`${height}`, () => (height <= chain.top ? made(height) : null)),
      blocks: (from, to) =>
        counted(`${from}-${to}`, () => {
          if (to > chain.top) throw new ProviderError(`no block ${to}`)
          return Array.from({ length: to - from + 1 }, (_, index) => made(from + index))
        }),
    },
    now,
  )
  return { chain, source }
}
const heights = (blocks: readonly Block[]) => blocks.map((block) => block.height)
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the block source', () => {
  test('returns every block once, in order, in batches while they are deep', async () => {
    const { source } = chainUpTo(100)
    const got: number[] = []
    while (got.length < 100) {
      const blocks = heights(await source.next(got.length + 1, 80, 100))
      expect(blocks.length).toBeGreaterThan(0)
      if ((blocks[0] ?? 0) > 80) expect(blocks).toHaveLength(1)
      got.push(...blocks)
    }
    expect(got).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })

  test('fetches ahead within bounds, and never above the head', async () => {
    const { source, chain } = chainUpTo(1000)
    await source.next(1, 0, 5)
    expect(chain.asked).toEqual(['1', '2', '3', '4', '5'])
    await source.next(2, 0, 1000)
    expect(chain.asked).toHaveLength(9)
    const deep = chainUpTo(1000)
    await deep.source.next(1, 900, 1000)
    // The fourth is requested when the first is handed out.
    expect(deep.chain.asked).toHaveLength(4)
    expect(deep.chain.maxUnderWay).toBe(3)
  })

  test('hands out deep pieces that arrived meanwhile together, within bounds, and single blocks near the head', async () => {
    const { source } = chainUpTo(10_000)
    let at = 0
    const sizes: number[] = []
    while (at < 9_010) {
      await nextTick()
      const blocks = heights(await source.next(at + 1, 9_000, 10_000))
      expect(blocks).toEqual(Array.from({ length: blocks.length }, (_, index) => at + 1 + index))
      if (at < 9_000) expect(blocks.at(-1)).toBeLessThanOrEqual(9_000)
      at += blocks.length
      sizes.push(blocks.length)
    }
    expect(Math.max(...sizes)).toBe(192)
    expect(sizes.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1))
  })

  test('requests each block once', async () => {
    const { source, chain } = chainUpTo(50)
    for (let height = 1; height <= 50; height++) await source.next(height, 0, 50)
    expect(chain.asked).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 1)))
  })

  test('reads blocks near the head in the way that the reader has for them', async () => {
    const asked: string[] = []
    const source = createBlockSource({
      block: () => Promise.reject(new Error('not for blocks at the head')),
      atHead: async (height) => {
        asked.push(`${height}`)
        return made(height)
      },
      blocks: async (from, to) => {
        asked.push(`${from}-${to}`)
        return Array.from({ length: to - from + 1 }, (_, index) => made(from + index))
      },
    })
    for (let at = 0; at < 12; ) at += (await source.next(at + 1, 8, 12)).length
    expect(asked).toEqual(['1-8', '9', '10', '11', '12'])
  })

  test('returns an empty list while the chain does not have the next block; requests it and all later ones again', async () => {
    const { source, chain } = chainUpTo(10)
    expect(await source.next(11, 0, 13)).toEqual([])
    chain.asked.length = 0
    chain.top = 13
    expect(heights(await source.next(11, 0, 13))).toEqual([11])
    expect(chain.asked).toEqual(['11', '12', '13'])
  })

  test('returns an empty list above the head', async () => {
    const { source, chain } = chainUpTo(10)
    expect(await source.next(11, 5, 10)).toEqual([])
    expect(chain.asked).toEqual([])
  })

  test('requests blocks again after `forget`, and after going back', async () => {
    const { source, chain } = chainUpTo(10)
    await source.next(1, 0, 10)
    source.forget()
    chain.asked.length = 0
    expect(heights(await source.next(2, 0, 10))).toEqual([2])
    expect(chain.asked[0]).toBe('2')
    chain.asked.length = 0
    expect(heights(await source.next(1, 0, 10))).toEqual([1])
    expect(chain.asked[0]).toBe('1')
  })

  test('throws a failure when its block is due, not before, and leaves no unhandled rejection', async () => {
    let broken = true
    const source = createBlockSource({
      block: async (height) => {
        if (height >= 2 && broken) throw new ProviderError('timeout')
        return made(height)
      },
      blocks: async () => [],
    })
    expect(heights(await source.next(1, 0, 10))).toEqual([1])
    await nextTick()
    await expect(source.next(2, 0, 10)).rejects.toThrow('timeout')
    source.forget()
    await nextTick()
    broken = false
    expect(heights(await source.next(2, 0, 10))).toEqual([2])
  })

  test('enlarges pieces that come fast, and shrinks those that come slowly', async () => {
    const sizeAfter = async (requestMs: number, pieces: number) => {
      let clock = 0
      const wait = async () => {
        clock += requestMs
      }
      const { source } = chainUpTo(100_000, { wait, now: () => clock })
      let at = 0
      let size = 0
      for (let piece = 0; piece < pieces; piece++) {
        size = (await source.next(at + 1, 90_000, 100_000)).length
        at += size
      }
      return size
    }
    expect(await sizeAfter(0, 30)).toBeGreaterThanOrEqual(64)
    // A piece should take 150 ms for each of the three under way: this one takes far more.
    expect(await sizeAfter(950, 6)).toBeLessThan(8)
  })
})

test('every height comes once and in order, for any head, any depth and any moments of `forget`', async () => {
  const steps = fc.array(fc.record({ grows: fc.nat(30), deep: fc.nat(60), forget: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { chain, source } = chainUpTo(10)
      let at = 0
      for (const { grows, deep, forget } of all) {
        chain.top += grows
        if (forget) source.forget()
        const blocks = heights(await source.next(at + 1, chain.top - deep, chain.top))
        expect(blocks).toEqual(Array.from({ length: blocks.length }, (_, index) => at + 1 + index))
        expect(blocks.length > 0).toBe(at < chain.top)
        at += blocks.length
      }
    }),
  )
})
