import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ProviderTip } from '../src/chains/chain.ts'
import { type BlockId, createAgreedTips } from './agreedTips.ts'

const crossCheckMs = 30_000
const header = (height: number) => ({
  height,
  id: `id ${height}`,
  parentId: `id ${height - 1}`,
  time: new Date(height),
})
const tip = (source: string, head: number, finalized: number | null = null): ProviderTip => ({
  source,
  head,
  finalized: finalized === null ? null : header(finalized),
})

function agreed(providers: number, blockMs = 1000) {
  let at = 0
  let read: number | null = null
  const upTo = async ({ finalized }: ProviderTip): Promise<number | 'another block' | null> =>
    finalized?.height ?? null
  const same = async (_tip: ProviderTip): Promise<boolean | null> => true
  const ours = async (_block: BlockId) => true
  const finalized = (by = upTo, isOnOurBranch = same, isOurs = ours) =>
    tips.finalized({
      upTo: async (tip) => {
        const said = await by(tip)
        return typeof said === 'number' ? header(said) : said
      },
      isOnOurBranch,
      isOurs,
    })
  const urls = Array.from({ length: providers }, (_, index) => `http://127.0.0.1:${index + 1}`)
  const tips = createAgreedTips({ rpcUrls: urls, horizonUrls: [], blockMs }, crossCheckMs, () => at)
  return {
    /** The cursor is at the head that two have, or at the head of the only one. */
    report: async (...answers: ProviderTip[]) => {
      const heads = answers.map(({ head }) => head).sort((a, b) => b - a)
      tips.report(answers, read ?? heads[1] ?? heads[0] ?? 0)
      await finalized()
    },
    /** The cursor is here. */
    reads(height: number) {
      read = height
    },
    rest: tips.rest,
    after: (ms: number) => {
      at += ms
    },
    head: tips.head,
    /** Every block equals the one that was read. */
    finalized,
  }
}

test('a single provider counts at once', async () => {
  const tips = agreed(1)
  expect([tips.head(), await tips.finalized()]).toEqual([null, null])
  await tips.report(tip('a', 100, 90))
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
})

test.each([
  ['two', [tip('a', 1000, 1000), tip('b', 100, 40)], [100, 40]],
  ['three', [tip('a', 1000, 1000), tip('b', 100, 40), tip('c', 99, 41)], [100, 41]],
  ['two, of which one reports too little', [tip('a', 7, 1), tip('b', 100, 40)], [7, 1]],
] as const)(
  'of %s the second highest answer counts: one alone cannot make anything final',
  async (_what, answers, expected) => {
    const tips = agreed(answers.length)
    for (let i = 0; i < 100; i++) {
      // They all advance: all of them count as answering.
      await tips.report(
        ...answers.map(({ source, head, finalized }) => tip(source, head + i, (finalized?.height ?? 0) + i)),
      )
      tips.after(1000)
    }
    expect([tips.head(), await tips.finalized()]).toEqual(expected.map((height) => height + 99))
  },
)

test('a provider that is only slower than the others is waited for', async () => {
  const tips = agreed(2)
  for (let at = 0; at < crossCheckMs; at += 1000) {
    await tips.report(tip('a', 100 + at, 100 + at))
    expect([tips.head(), await tips.finalized()]).toEqual([null, null])
    tips.after(1000)
  }
  await tips.report(tip('a', 40_000, 40_000), tip('b', 50, 20))
  expect([tips.head(), await tips.finalized()]).toEqual([50, 20])
})

test('one provider is enough after the other was silent for a while, until it answers again', async () => {
  const tips = agreed(2)
  await tips.report(tip('a', 100, 90), tip('b', 100, 90))
  await tips.report(tip('a', 101, 91))
  tips.after(crossCheckMs - 1)
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
  tips.after(1)
  await tips.report(tip('a', 130, 120))
  expect([tips.head(), await tips.finalized()]).toEqual([130, 120])
  await tips.report(tip('a', 500, 500), tip('b', 131, 121))
  expect([tips.head(), await tips.finalized()]).toEqual([131, 121])
})

test.each([
  ['stands still', () => 100],
  ['lags, though it moves', (seconds: number) => 100 + seconds / 12],
])(
  'one that answers and %s is silent after the time of some blocks, and not earlier: blocks may be slow',
  async (_what, headOf) => {
    const tips = agreed(2, 12_000)
    tips.reads(100)
    await tips.report(tip('a', 100, 90), tip('b', 100, 90))
    tips.reads(200)
    await tips.report(tip('a', 200, 190), tip('b', 100, 90))
    tips.after(59_000)
    await tips.report(tip('a', 205, 195), tip('b', headOf(59), 90))
    expect(await tips.finalized()).toBe(90)
    expect(tips.head()).toBe(headOf(59))
    tips.after(1000)
    await tips.report(tip('a', 206, 196), tip('b', headOf(60), 90))
    expect([tips.head(), await tips.finalized()]).toEqual([206, 196])
    // It counts again once it has what was read.
    await tips.report(tip('a', 300, 290), tip('b', 201, 191))
    expect([tips.head(), await tips.finalized()]).toEqual([201, 191])
  },
)

test('a provider that is silent by its height, and calls a different block final, keeps the other from counting alone', async () => {
  const tips = agreed(2)
  tips.reads(200)
  await tips.report(tip('a', 200, 190), tip('b', 200, 190))
  await tips.report(tip('a', 200, 190), tip('b', 150, 140))
  tips.after(2 * crossCheckMs)
  await tips.report(tip('a', 200, 200), tip('b', 160, 150))
  const onOtherBranch = async ({ source, finalized }: ProviderTip) =>
    source === 'b' ? 'another block' : (finalized?.height ?? null)
  expect(await tips.finalized(onOtherBranch)).toBeNull()
  expect(await tips.finalized()).toBe(200)
})

test('a provider that is silent by its height, and whose newest block is on another branch, keeps the other from counting alone', async () => {
  const tips = agreed(3)
  tips.reads(200)
  await tips.report(tip('a', 200, 190), tip('b', 200, 190), tip('c', 200, 190))
  await tips.report(tip('a', 200, 190), tip('b', 195, 185), tip('c', 195, 185))
  tips.after(2 * crossCheckMs)
  await tips.report(tip('a', 200, 200), tip('b', 196, 186), tip('c', 196, 186))
  const upTo = async ({ finalized }: ProviderTip) => finalized?.height ?? null
  expect(await tips.finalized(upTo, async () => false)).toBe(186)
  expect(await tips.finalized(upTo, async () => null)).toBe(200)
  expect(await tips.finalized()).toBe(200)
})

test('an invented head makes no provider silent: the cursor counts', async () => {
  const tips = agreed(2)
  for (let i = 0; i < 300; i++) {
    tips.reads(100 + i)
    await tips.report(tip('liar', 1_000_000, 1_000_000), tip('honest', 100 + i, 40 + i))
    expect([tips.head(), await tips.finalized()]).toEqual([100 + i, 40 + i])
    tips.after(1000)
  }
})

test('one failed call is not silence, also as the first call of a long-running process, and after an idle hour', async () => {
  const tips = agreed(2)
  tips.after(10 * crossCheckMs)
  await tips.report(tip('a', 100, 100))
  expect([tips.head(), await tips.finalized()]).toEqual([null, null])
  await tips.report(tip('a', 100, 100), tip('b', 100, 40))
  await tips.report(tip('a', 101, 101))
  tips.after(3_600_000)
  await tips.report(tip('a', 900, 900))
  expect([tips.head(), await tips.finalized()]).toEqual([100, 40])
})

test('an answer without finality keeps the earlier finality, and its head counts', async () => {
  const tips = agreed(2)
  await tips.report(tip('a', 100, 90), tip('b', 100, 91))
  await tips.report(tip('a', 110, 100), { source: 'b', head: 110, finalized: undefined })
  expect([tips.head(), await tips.finalized()]).toEqual([110, 91])
  // A provider that can never report finality is silent about it; its head still counts.
  tips.after(crossCheckMs)
  await tips.report(tip('a', 150, 140), { source: 'b', head: 120, finalized: undefined })
  expect([tips.head(), await tips.finalized()]).toEqual([120, 140])
})

test('time without a question is not silence', async () => {
  const tips = agreed(2)
  await tips.report(tip('a', 100, 90), tip('b', 100, 90))
  await tips.report(tip('a', 101, 91))
  tips.rest()
  tips.after(10 * crossCheckMs)
  tips.rest()
  await tips.report(tip('a', 900, 900))
  expect([tips.head(), await tips.finalized()]).toEqual([100, 90])
})

test('without any reported finality, the answer is unknown; if one provider reports it, the others count by their depth', async () => {
  const tips = agreed(2)
  const byDepth = async ({ head, finalized }: ProviderTip) => finalized?.height ?? head - 10
  await tips.report(tip('a', 100), tip('b', 101))
  expect(await tips.finalized(byDepth)).toBeNull()
  await tips.report(tip('a', 100, 100), tip('b', 101))
  expect(await tips.finalized(byDepth)).toBe(91)
})

test('a provider that calls a different block final does not count for it', async () => {
  const tips = agreed(3)
  await tips.report(tip('a', 100, 90), tip('b', 100, 91), tip('c', 100, 92))
  const ours = (...sources: string[]) =>
    tips.finalized(async ({ source, finalized }) =>
      sources.includes(source) ? (finalized?.height ?? null) : null,
    )
  expect([await ours('a', 'b', 'c'), await ours('a', 'c'), await ours('c'), await ours()]).toEqual([
    91,
    90,
    null,
    null,
  ])
})

test('an earlier comparison counts only while its block is still in our chain', async () => {
  const tips = agreed(3)
  await tips.report(tip('a', 100, 90), tip('b', 100, 80), tip('c', 100, 70))
  // Only c answers now; a fork was resolved at 85.
  await tips.report(tip('c', 120, 100))
  expect(await tips.finalized(undefined, undefined, async ({ height }) => height <= 85)).toBe(80)
  expect(await tips.finalized(undefined, undefined, async () => false)).toBeNull()
})

test('with two or three providers, of which one lies or is silent at any time, the result never exceeds an honest one while all honest ones answer', async () => {
  const liar = fc.option(fc.record({ head: fc.nat(2000), finalized: fc.option(fc.nat(2000)) }))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(2, 3),
      fc.array(fc.tuple(liar, fc.nat(crossCheckMs)), { minLength: 1, maxLength: 30 }),
      async (providers, steps) => {
        const tips = agreed(providers)
        for (const [step, [lie, ms]] of steps.entries()) {
          const honest = Array.from({ length: providers - 1 }, (_, index) =>
            tip(`honest ${index}`, 100 + step - index, 60 + step - index),
          )
          await tips.report(...honest, ...(lie ? [tip('liar', lie.head, lie.finalized)] : []))
          const [best] = honest
          expect(tips.head() ?? 0).toBeLessThanOrEqual(best?.head ?? 0)
          expect((await tips.finalized()) ?? 0).toBeLessThanOrEqual(best?.finalized?.height ?? 0)
          tips.after(ms)
        }
      },
    ),
  )
})
