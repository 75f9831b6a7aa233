import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ProviderTip } from '../src/chains/chain.ts'
import { createAgreedTips } from './agreedTips.ts'

const witnessMs = 30_000
const header = (height: number) => ({ height, id: `id ${height}`, parentId: `id ${height - 1}`, time: new Date(height) })
const tip = (source: string, head: number, finalized: number | null = null): ProviderTip => ({
  source,
  head,
  finalized: finalized === null ? null : header(finalized),
})

function agreed(providers: number, blockMs = 1000) {
  let at = 0
  const urls = Array.from({ length: providers }, (_, index) => `http://127.0.0.1:${index + 1}`)
  const tips = createAgreedTips({ rpcUrls: urls, horizonUrls: [], blockMs }, witnessMs, () => at)
  return {
    hear: (...heard: ProviderTip[]) => tips.hear(heard),
    rest: tips.rest,
    after: (ms: number) => {
      at += ms
    },
    head: tips.head,
    /** Every block is as it was read here. */
    finalized: (upTo = async ({ finalized }: ProviderTip): Promise<number | null> => finalized?.height ?? null) => tips.finalized(upTo),
  }
}

test('of one provider alone its word counts at once', async () => {
  const tips = agreed(1)
  expect([tips.head(), await tips.finalized()]).toEqual([null, null])
  tips.hear(tip('a', 100, 90))
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
})

test.each([
  ['two', [tip('a', 1000, 1000), tip('b', 100, 40)], [100, 40]],
  ['three', [tip('a', 1000, 1000), tip('b', 100, 40), tip('c', 99, 41)], [100, 41]],
  ['two, of which one tells less than there is', [tip('a', 7, 1), tip('b', 100, 40)], [7, 1]],
] as const)('of %s the second highest word counts: nobody alone calls anything final', async (_what, heard, expected) => {
  const tips = agreed(heard.length)
  for (let i = 0; i < 100; i++) {
    // They all go on: none is silent.
    tips.hear(...heard.map(({ source, head, finalized }) => tip(source, head + i, (finalized?.height ?? 0) + i)))
    tips.after(1000)
  }
  expect([tips.head(), await tips.finalized()]).toEqual(expected.map((height) => height + 99))
})

test('one that is only slower than the others is waited for', async () => {
  const tips = agreed(2)
  for (let at = 0; at < witnessMs; at += 1000) {
    tips.hear(tip('a', 100 + at, 100 + at))
    expect([tips.head(), await tips.finalized()]).toEqual([null, null])
    tips.after(1000)
  }
  tips.hear(tip('a', 40_000, 40_000), tip('b', 50, 20))
  expect([tips.head(), await tips.finalized()]).toEqual([50, 20])
})

test('one goes on alone when the other did not answer for a while, and not when it answers again', async () => {
  const tips = agreed(2)
  tips.hear(tip('a', 100, 90), tip('b', 100, 90))
  tips.hear(tip('a', 101, 91))
  tips.after(witnessMs - 1)
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
  tips.after(1)
  tips.hear(tip('a', 130, 120))
  expect([tips.head(), await tips.finalized()]).toEqual([130, 120])
  tips.hear(tip('a', 500, 500), tip('b', 131, 121))
  expect([tips.head(), await tips.finalized()]).toEqual([131, 121])
})

test('one that answers and stands still is silent after some blocks’ time, and no earlier: blocks may be slow', async () => {
  const tips = agreed(2, 12_000)
  tips.hear(tip('a', 100, 90), tip('b', 100, 90))
  tips.hear(tip('a', 101, 91), tip('b', 100, 90))
  tips.after(59_000)
  tips.hear(tip('a', 105, 95), tip('b', 100, 90))
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
  tips.after(1000)
  tips.hear(tip('a', 106, 96), tip('b', 100, 90))
  expect([tips.head(), await tips.finalized()]).toEqual([106, 96])
})

test('what nobody was asked for is no silence', async () => {
  const tips = agreed(2)
  tips.hear(tip('a', 100, 90), tip('b', 100, 90))
  tips.hear(tip('a', 101, 91))
  tips.rest()
  tips.after(10 * witnessMs)
  tips.rest()
  tips.hear(tip('a', 900, 900))
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
})

test('where no provider tells what is final, nothing is said of it; where one tells, the others are asked by their depth', async () => {
  const tips = agreed(2)
  const byDepth = async ({ head, finalized }: ProviderTip) => finalized?.height ?? head - 10
  tips.hear(tip('a', 100), tip('b', 101))
  expect(await tips.finalized(byDepth)).toBeNull()
  tips.hear(tip('a', 100, 100), tip('b', 101))
  expect(await tips.finalized(byDepth)).toBe(91)
})

test('a provider whose final block is not the one that was read says nothing for it', async () => {
  const tips = agreed(3)
  tips.hear(tip('a', 100, 90), tip('b', 100, 91), tip('c', 100, 92))
  const ours = (...sources: string[]) =>
    tips.finalized(async ({ source, finalized }) => (sources.includes(source) ? (finalized?.height ?? null) : null))
  expect([await ours('a', 'b', 'c'), await ours('a', 'c'), await ours('c'), await ours()]).toEqual([91, 90, null, null])
})

test('whatever one of two or three says and whenever it is silent: never more than an honest one has, while all honest ones speak', async () => {
  const liar = fc.option(fc.record({ head: fc.nat(2000), finalized: fc.option(fc.nat(2000)) }))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(2, 3),
      fc.array(fc.tuple(liar, fc.nat(witnessMs)), { minLength: 1, maxLength: 30 }),
      async (providers, steps) => {
        const tips = agreed(providers)
        for (const [step, [lie, ms]] of steps.entries()) {
          const honest = Array.from({ length: providers - 1 }, (_, index) => tip(`honest ${index}`, 100 + step - index, 60 + step - index))
          tips.hear(...honest, ...(lie ? [tip('liar', lie.head, lie.finalized)] : []))
          const [best] = honest
          expect(tips.head() ?? 0).toBeLessThanOrEqual(best?.head ?? 0)
          expect((await tips.finalized()) ?? 0).toBeLessThanOrEqual(best?.finalized?.height ?? 0)
          tips.after(ms)
        }
      },
    ),
  )
})
