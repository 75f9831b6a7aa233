import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { requiredDepth } from '../src/chains/finality.ts'
import { amounts, asNumber, chains, choices } from '../test/support/anyFinality.ts'
import { howMany } from '../test/support/full.ts'
import { sumsUpToBlocks } from './depths.ts'

const usdc = { symbol: 'USDC', decimals: 6 }
/** An amount in parts, in blocks of any heights. */
const parts = fc
  .array(fc.record({ amount: amounts, height: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((some) => some.map((each) => ({ ...each, watch: { id: 'session' } })))
const sum = (some: { amount: bigint }[]) => some.reduce((total, { amount }) => total + amount, 0n)
const many = { numRuns: howMany(250, 20_000) }

test('splitting an amount never lowers its finality: what counts after some confirmations would also count as one payment', () => {
  fc.assert(
    fc.property(chains, choices, parts, (chain, choice, split) => {
      const demanded = (amount: bigint) => asNumber(requiredDepth(chain, choice, usdc, amount))
      const sums = sumsUpToBlocks(split, new Map())
      const depths = new Map(split.map((each) => [each, demanded(sums.get(each) ?? 0n)]))
      for (const depth of new Set(depths.values())) {
        const counted = split.filter((each) => (depths.get(each) ?? 0) <= depth)
        expect(demanded(sum(counted))).toBeLessThanOrEqual(depth)
      }
      // The part that completes the amount waits as long as the whole.
      const last = Math.max(...split.map(({ height }) => height))
      for (const each of split.filter(({ height }) => height === last))
        expect(depths.get(each)).toBe(demanded(sum(split)))
    }),
    many,
  )
})

test('parts have the same sums in one commit as in separate commits', () => {
  fc.assert(
    fc.property(parts, (split) => {
      const atOnce = sumsUpToBlocks(split, new Map())
      for (const height of new Set(split.map((each) => each.height))) {
        const before = sum(split.filter((each) => each.height < height))
        const alone = sumsUpToBlocks(
          split.filter((each) => each.height === height),
          new Map([['session', before]]),
        )
        for (const [each, amount] of alone) expect(atOnce.get(each)).toBe(amount)
      }
    }),
    many,
  )
})

test('parts count only for their own session', () => {
  const [one, other] = ['one', 'other'].map((id) => ({ watch: { id }, height: 1, amount: 5n }))
  if (!one || !other) throw new Error('two')
  expect([...sumsUpToBlocks([one, other], new Map([['other', 2n]])).values()]).toEqual([5n, 7n])
})
