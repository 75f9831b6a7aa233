import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../test/support/full.ts'
import { type Anchor, anchorAfter, refusalOf } from './decideRate.ts'

const limits = { maxSpreadPercent: 10, maxJumpPercent: 10 }
const start = Date.parse('2026-01-01T12:00:00.000Z')
const dayMs = 86_400_000
const daysLater = (days: number) => new Date(start + days * dayMs)
const anchor: Anchor = { buy: '1620', sell: '1600', at: daysLater(0) }
const flat = (rate: string) => ({ buy: rate, sell: rate })

describe('a rate', () => {
  test.each([
    ['the attack: sell = 3,000,000', { buy: '1620', sell: '3000000' }, 'spread'],
    ['a spread of just 10 %', { buy: '1690.5', sell: '1529.5' }, null],
    ['a spread above it', { buy: '1690.5', sell: '1529.499' }, 'spread'],
    ['the same with either side higher', { buy: '1529.499', sell: '1690.5' }, 'spread'],
    ['10 % more', flat('1771'), null],
    ['more than 10 % more', flat('1771.000001'), 'jump'],
    ['10 % less', flat('1449'), null],
    ['more than 10 % less', flat('1448.999999'), 'jump'],
  ])('%s', (_, offered, expected) => {
    expect(refusalOf(anchor, offered, daysLater(0), limits)).toBe(expected)
  })

  test('without one before it has only its spread to show', () => {
    expect(refusalOf(null, flat('9999'), daysLater(0), limits)).toBeNull()
    expect(refusalOf(null, { buy: '1', sell: '2' }, daysLater(0), limits)).toBe('spread')
  })

  test('may move by the limit for each day started, five days at most', () => {
    expect(refusalOf(anchor, flat('1932'), daysLater(1), limits)).toBe('jump')
    expect(refusalOf(anchor, flat('1932'), daysLater(1.001), limits)).toBeNull()
    expect(refusalOf(anchor, flat('2415'), daysLater(4.5), limits)).toBeNull()
    expect(refusalOf(anchor, flat('2415.01'), daysLater(400), limits)).toBe('jump')
  })

  test('a clock that was ahead when the anchor was accepted allows one day', () => {
    expect(refusalOf(anchor, flat('1771'), daysLater(-30), limits)).toBeNull()
    expect(refusalOf(anchor, flat('1772'), daysLater(-30), limits)).toBe('jump')
  })

  test('a spread that was accepted by hand is accepted again, and no wider one', () => {
    const wide: Anchor = { buy: '2000', sell: '1000', at: daysLater(0) }
    expect(refusalOf(wide, { buy: '2000', sell: '1000' }, daysLater(0), limits)).toBeNull()
    expect(refusalOf(wide, { buy: '2001', sell: '999' }, daysLater(0), limits)).toBe('spread')
  })
})

test('in any history no day moves the mid rate by more than the limit, however small the steps', () => {
  const step = fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 3 * dayMs })),
    buy: fc.integer({ min: 1, max: 400_000 }),
    // Many steps just at the limit.
    nudge: fc.constantFrom(null, 1.1, 1.05, 0.9),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      let anchored: Anchor = { ...flat('10000'), at: daysLater(0) }
      let accepted = 10_000
      let now = start
      for (const { waitMs, buy, nudge } of steps) {
        now += waitMs
        const rate = nudge === null ? buy : Math.max(Math.floor(accepted * nudge), 1)
        const offered = flat(String(rate))
        const days = Math.min(Math.max(Math.ceil((now - anchored.at.getTime()) / dayMs), 1), 5)
        const isWithin = Math.abs(rate - Number(anchored.buy)) * 10 <= days * Number(anchored.buy)
        expect(refusalOf(anchored, offered, new Date(now), limits)).toBe(isWithin ? null : 'jump')
        if (!isWithin) continue
        accepted = rate
        anchored = anchorAfter(anchored, offered, new Date(now))
        // (1 + 0.1 n) ≤ 1.1 ^ n; an anchor holds for at least a day, and each day starts at most twice.
        expect(accepted).toBeLessThanOrEqual(10_000 * 1.1 ** (2 * ((now - start) / dayMs) + 1) + 1e-6)
        if (now - start < dayMs) expect(Math.abs(accepted - 10_000)).toBeLessThanOrEqual(1000)
      }
    }),
    { numRuns: howMany(300, 5000) },
  )
})
