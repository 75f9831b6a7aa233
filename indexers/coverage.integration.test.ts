import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../test/support/full.ts'
import { createIndexed, header, type Indexed, read } from '../test/support/indexed.ts'
import type { LeaderContext } from './context.ts'
import { coverageOf, gapsOf, untracedOf } from './coverage.ts'
import { commitPast } from './reread.ts'
import { rewind } from './rewind.ts'

let indexed: Indexed
let ctx: LeaderContext

beforeAll(async () => {
  indexed = await createIndexed()
})
beforeEach(async () => {
  await indexed.reset()
  ctx = indexed.context()
})
afterAll(() => indexed?.database.drop())

const db = () => indexed.database.db
const blocks = (from: number, to: number, traced = true) =>
  Array.from({ length: to - from + 1 }, (_, index) => read(header(from + index), [], { traced }))
const commit = (from: number, to: number, traced = true) => indexed.commit(ctx, blocks(from, to, traced))
const fill = (from: number, to: number, traced = true, what: 'gap' | 'internal' = 'gap') =>
  commitPast(ctx, { from, to }, blocks(from, to, traced), what)
const record = async () => {
  const [row] = await db().query<{ covered: string; traced: string }>(
    'select covered::text, traced::text from chain_cursors',
  )
  return row
}

describe('the record of read blocks', () => {
  test('grows by each committed height and no other', async () => {
    await commit(10, 12)
    await commit(13, 13)
    expect(await record()).toEqual({ covered: '{[10,14)}', traced: '{[10,14)}' })
  })

  test('lists the heights that were read without internal transfers', async () => {
    await indexed.commit(ctx, [...blocks(10, 11), ...blocks(12, 13, false), ...blocks(14, 14)])
    expect(await record()).toEqual({ covered: '{[10,15)}', traced: '{[10,12),[14,15)}' })
    expect(await untracedOf(db(), 'ethereum')).toEqual([{ from: 12, to: 13 }])
  })

  test('loses heights that a fork reverts, and regains them when they are read again', async () => {
    await commit(10, 20)
    await rewind(ctx, { height: 15, id: null })
    expect(await record()).toEqual({ covered: '{[10,16)}', traced: '{[10,16)}' })
    await commit(16, 17, false)
    expect(await record()).toEqual({ covered: '{[10,18)}', traced: '{[10,16)}' })
  })

  test('marks a height as untraced after it was read again without traces', async () => {
    await commit(10, 20)
    await rewind(ctx, { height: 15, id: null })
    await commit(16, 20, false)
    await rewind(ctx, { height: 17, id: null })
    await commit(18, 20)
    expect(await untracedOf(db(), 'ethereum')).toEqual([{ from: 16, to: 17 }])
  })
})

describe('gaps', () => {
  test('are empty if every height since the first was read', async () => {
    await commit(10, 20)
    expect(await gapsOf(db(), 'ethereum', undefined)).toEqual([])
    expect(await gapsOf(db(), 'ethereum', 10)).toEqual([])
    expect(await gapsOf(db(), 'ethereum', 15)).toEqual([])
    expect(await gapsOf(db(), 'ethereum', 500)).toEqual([])
  })

  test('are empty for a chain that was never read', async () => {
    expect(await gapsOf(db(), 'ethereum', 5)).toEqual([])
    expect(await gapsOf(db(), 'polygon', 5)).toEqual([])
    expect(await untracedOf(db(), 'ethereum')).toEqual([])
  })

  test('include heights below the first one read, with an earlier configured start', async () => {
    await commit(10, 20)
    expect(await gapsOf(db(), 'ethereum', 4)).toEqual([{ from: 4, to: 9 }])
    expect(await gapsOf(db(), 'ethereum', 0)).toEqual([{ from: 0, to: 9 }])
  })

  test('are the missing heights in between; reading closes them', async () => {
    await commit(10, 20)
    await db().query("update chain_cursors set covered = covered - '{[12,13),[15,18)}'::int8multirange")
    expect(await gapsOf(db(), 'ethereum', 8)).toEqual([
      { from: 8, to: 9 },
      { from: 12, to: 12 },
      { from: 15, to: 17 },
    ])
    await fill(15, 17)
    await fill(8, 9, false)
    expect(await gapsOf(db(), 'ethereum', 8)).toEqual([{ from: 12, to: 12 }])
    expect(await untracedOf(db(), 'ethereum')).toEqual([{ from: 8, to: 9 }])
    await fill(8, 9, true, 'internal')
    expect(await untracedOf(db(), 'ethereum')).toEqual([])
  })

  test('stay open when only internal transfers are read', async () => {
    await commit(10, 20)
    await db().query("update chain_cursors set covered = covered - '{[12,13)}'::int8multirange")
    await fill(12, 12, true, 'internal')
    expect(await gapsOf(db(), 'ethereum', undefined)).toEqual([{ from: 12, to: 12 }])
  })
})

test('the metrics equal the record', async () => {
  expect(await coverageOf(db(), 'ethereum')).toEqual({ blocks: 0, gaps: 0, untraced: 0 })
  await commit(10, 20)
  await commit(21, 22, false)
  await db().query("update chain_cursors set covered = covered - '{[12,13),[15,18)}'::int8multirange")
  expect(await coverageOf(db(), 'ethereum')).toEqual({ blocks: 9, gaps: 4, untraced: 2 })
})

interface Step {
  kind: 'commit' | 'rewind' | 'lose' | 'fill'
  size: number
  traced: boolean
}

/** The record, modelled as two lists of heights. */
interface ByHand {
  at: number
  covered: Set<number>
  traced: Set<number>
}

const heightsOf = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

function commitByHand(hand: ByHand, { size, traced }: Step): void {
  for (const height of heightsOf(hand.at + 1, hand.at + size)) {
    hand.covered.add(height)
    hand.traced.delete(height)
    if (traced) hand.traced.add(height)
  }
  hand.at += size
}

function changeByHand(hand: ByHand, { kind, size, traced }: Step): void {
  const heights =
    kind === 'rewind' ? heightsOf(hand.at - size + 1, hand.at) : heightsOf(hand.at - size, hand.at - 1)
  for (const height of heights) {
    if (kind === 'fill') hand.covered.add(height)
    else hand.covered.delete(height)
    if (kind === 'fill' && traced) hand.traced.add(height)
    if (kind === 'rewind') hand.traced.delete(height)
  }
  if (kind === 'rewind') hand.at -= size
}

test('after any commits, rewinds and rereads, the record equals the model', async () => {
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom('commit', 'commit', 'rewind', 'lose', 'fill'),
      size: fc.integer({ min: 1, max: 6 }),
      traced: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const flat = (ranges: { from: number; to: number }[]) =>
    ranges.flatMap(({ from, to }) => heightsOf(from, to))
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await indexed.reset()
      const hand: ByHand = { at: 99, covered: new Set(), traced: new Set() }
      for (const step of all) {
        const { at } = hand
        if (step.kind !== 'commit' && at - step.size < 100) continue
        if (step.kind === 'commit') await commit(at + 1, at + step.size, step.traced)
        else if (step.kind === 'rewind') await rewind(ctx, { height: at - step.size, id: null })
        else if (step.kind === 'fill') await fill(at - step.size, at - 1, step.traced)
        else
          await db().query('update chain_cursors set covered = covered - int8multirange(int8range($1, $2))', [
            at - step.size,
            at,
          ])
        if (step.kind === 'commit') commitByHand(hand, step)
        else changeByHand(hand, step)
      }
      const gaps = heightsOf(100, hand.at).filter((height) => !hand.covered.has(height))
      expect(flat(await gapsOf(db(), 'ethereum', 100))).toEqual(gaps)
      expect(flat(await untracedOf(db(), 'ethereum'))).toEqual(
        [...hand.covered].filter((height) => !hand.traced.has(height)).sort((a, b) => a - b),
      )
    }),
    { numRuns: howMany(40, 500) },
  )
})
