import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readSettings } from '../platform/config.ts'
import { nextWait as nextWaitOf, parseRetryAfter } from './schedule.ts'
import { deliverySettings } from './settings.ts'

const second = 1000
const hour = 3_600_000
/** Design §9: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const promised = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
]
const almostOne = 1 - 2 ** -53
const nextWait = (made: number, retryAfterMs: number | null, random: number) =>
  nextWaitOf(promised, made, retryAfterMs, random)

describe('the schedule', () => {
  test('is ten attempts, the first at once, by default', () => {
    const { WEBHOOK_RETRY_SECONDS } = readSettings('worker', deliverySettings, {})
    expect(WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * second)).toEqual(promised)
    expect(
      readSettings('worker', deliverySettings, { WEBHOOK_RETRY_SECONDS: '0, 5,300' }).WEBHOOK_RETRY_SECONDS,
    ).toEqual([0, 5, 300])
  })

  test.each(['', ' ', '5', '0,-1', '0,1.5', '0,,5', '0,x'])('cannot be "%s"', (text) => {
    const read = () => readSettings('worker', deliverySettings, { WEBHOOK_RETRY_SECONDS: text })
    // An empty setting counts as not set.
    if (text === '') expect(read().WEBHOOK_RETRY_SECONDS).toHaveLength(10)
    else expect(read).toThrow('WEBHOOK_RETRY_SECONDS')
  })

  test('ends at its last wait, for any length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 10 ** 9 }), { minLength: 1, maxLength: 30 }),
        fc.nat({ max: 40 }),
        (schedule, made) => {
          expect(nextWaitOf(schedule, made, null, 0)).toBe(schedule[made] ?? null)
        },
      ),
    )
  })

  test.each(promised.slice(1).map((wait, i) => [i + 1, wait] as const))(
    'after attempt %i it waits %i ms, or up to a fifth more',
    (made, wait) => {
      expect(nextWait(made, null, 0)).toBe(wait)
      expect(nextWait(made, null, 0.5)).toBe((wait / 10) * 11)
      expect(nextWait(made, null, almostOne)).toBe((wait / 10) * 12)
      fc.assert(
        fc.property(fc.double({ min: 0, max: almostOne, noNaN: true }), (random) => {
          const spread = nextWait(made, null, random) as number
          expect(Number.isInteger(spread) && spread >= wait && spread <= (wait / 10) * 12).toBe(true)
        }),
      )
    },
  )

  test('has no attempt after the tenth, for any Retry-After', () => {
    expect(nextWait(10, null, 0)).toBeNull()
    expect(nextWait(10, 5000, 0)).toBeNull()
    expect(nextWait(11, null, 0.5)).toBeNull()
  })
})

describe('Retry-After', () => {
  test('is honoured if it is longer than the schedule', () => {
    expect(nextWait(1, 60 * second, 0)).toBe(60 * second)
    expect(nextWait(2, 10 * 60 * second, 0.99)).toBe(10 * 60 * second)
  })

  test('never shortens the schedule', () => {
    expect(nextWait(1, 0, 0)).toBe(5 * second)
    expect(nextWait(4, 1 * second, 0)).toBe(2 * hour)
  })

  test('is honoured up to a day: a receiver cannot postpone a delivery for ever', () => {
    expect(nextWait(1, 365 * 24 * hour, 0)).toBe(24 * hour)
    expect(nextWait(9, Number.MAX_SAFE_INTEGER, almostOne)).toBe(24 * hour * 1.2)
  })

  const now = new Date('2026-01-01T00:00:00.000Z')
  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['seconds with spaces', ' 7 ', 7000],
    ['an HTTP date', 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['an HTTP date that is over', 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['nothing', undefined, null],
    ['an empty text', '', null],
    ['a word', 'soon', null],
  ])('as %s is parsed', (_what, header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds)
  })

  test('never extends the wait beyond a day and a fifth', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String)),
        fc.integer({ min: 1, max: 9 }),
        (header, made) => {
          const wait = nextWait(made, parseRetryAfter(header, now), 0.5)
          expect(wait).not.toBeNull()
          expect(
            Number.isFinite(wait) &&
              (wait as number) >= (promised[made] as number) &&
              (wait as number) <= 24 * hour * 1.2,
          ).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
