import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import { createBudget } from './budget.ts'

const maxWaitMs = 5000
const longAgo = 1_700_000_000_000

/** A budget under a clock that the test moves. */
function setUp() {
  const clock = { now: longAgo }
  const budget = createBudget(maxWaitMs, () => clock.now)
  return {
    clock,
    budget,
    /** Sends that many requests, evenly within a second. */
    second(requests: number) {
      const began = clock.now
      for (let i = 0; i < requests; i++) {
        clock.now = began + Math.floor((i * 1000) / requests)
        budget.take()
      }
      clock.now = began + 1000
    },
  }
}

describe('a budget', () => {
  test('limits nothing until the provider complains', () => {
    const { budget } = setUp()
    expect(budget.rate()).toBe(Number.POSITIVE_INFINITY)
    for (let i = 0; i < 10_000; i++) expect(budget.take()).toBe(0)
  })

  test('is seven tenths of what was sent in the last whole second, after a complaint', () => {
    const { budget, second } = setUp()
    second(40)
    second(40)
    budget.throttled(1000)
    expect(budget.rate()).toBeCloseTo(28)
  })

  test('is cut once by a burst of complaints about one burst of requests, with a pause or without', () => {
    for (const retryAfterMs of [1000, 1]) {
      const { budget, clock, second } = setUp()
      second(40)
      for (let i = 0; i < 30; i++) {
        budget.throttled(retryAfterMs)
        clock.now += 10
      }
      expect(budget.rate()).toBeGreaterThanOrEqual(28)
      expect(budget.rate()).toBeLessThan(32)
    }
  })

  test('is cut again by a complaint after the pause', () => {
    const { budget, clock, second } = setUp()
    second(40)
    budget.throttled(1000)
    clock.now += 1000
    budget.throttled(1000)
    expect(budget.rate()).toBeLessThanOrEqual(19.6)
  })

  test('never falls below five requests a second, however long a storm of complaints lasts', () => {
    const { budget, clock } = setUp()
    for (let i = 0; i < 20; i++) {
      budget.take()
      budget.throttled(1)
      clock.now += 1000
      expect(budget.rate()).toBeGreaterThanOrEqual(5)
      expect(budget.rate()).toBeLessThan(20)
    }
  })

  test('grows by half each second without a complaint, so that what it was is found again after a second', () => {
    const { budget, clock, second } = setUp()
    second(10)
    budget.throttled(1)
    expect(budget.rate()).toBeCloseTo(7)
    clock.now += 1000
    expect(budget.rate()).toBeCloseTo(10.5, 1)
  })

  test('does not grow while the provider rests', () => {
    const { budget, clock, second } = setUp()
    second(10)
    budget.throttled(20_000)
    clock.now += 20_000
    expect(budget.rate()).toBeCloseTo(7)
  })

  test('is forgotten when it is far above what is sent', () => {
    const { budget, clock, second } = setUp()
    second(10)
    budget.throttled(1)
    for (let i = 0; i < 80; i++) {
      clock.now += 1000
      budget.take()
    }
    expect(budget.rate()).toBe(Number.POSITIVE_INFINITY)
    expect(budget.take()).toBe(0)
  })

  test('lets nothing out in the pause that the provider asked for, nor with the first of it a whole burst', () => {
    const { budget, clock, second } = setUp()
    second(40)
    budget.throttled(3000)
    const waits = Array.from({ length: 10 }, () => budget.take())
    expect(waits.every((wait) => wait !== null && wait > 3000)).toBe(true)
    // Twenty-eight a second: one by one, evenly.
    expect(waits.map((wait) => Math.round((wait ?? 0) - 3000))).toEqual(Array.from({ length: 10 }, (_, i) => Math.round((1000 / 28) * (i + 1))))
    clock.now += 3000
    expect(budget.waitMs()).toBeGreaterThan(0)
  })

  test('extends its pause by a complaint within it, and never cuts it short', () => {
    const { budget, clock } = setUp()
    budget.throttled(3000)
    clock.now += 1000
    budget.throttled(500)
    expect(budget.waitMs()).toBeGreaterThanOrEqual(2000)
    budget.throttled(4000)
    expect(budget.waitMs()).toBeGreaterThanOrEqual(4000)
  })

  test('makes a request wait rather than refuse it, up to the most that is waited; what would wait longer takes nothing', () => {
    const { budget, second } = setUp()
    second(4)
    budget.throttled(1)
    const waits = Array.from({ length: 50 }, () => budget.take())
    const granted = waits.filter((wait) => wait !== null)
    // Five a second, for five seconds.
    expect(granted.length).toBeGreaterThanOrEqual(24)
    expect(granted.length).toBeLessThanOrEqual(25)
    expect(Math.max(...granted)).toBeLessThanOrEqual(maxWaitMs)
    const waitNow = budget.waitMs()
    for (let i = 0; i < 100; i++) budget.take()
    expect(budget.waitMs()).toBe(waitNow)
  })

  test('lets no more go at once after an idle time than a second is worth', () => {
    const { budget, clock, second } = setUp()
    second(10)
    budget.throttled(1)
    clock.now += 5000
    const rate = budget.rate()
    const atOnce = Array.from({ length: 100 }, () => budget.take()).filter((wait) => wait === 0).length
    expect(atOnce).toBeLessThanOrEqual(Math.ceil(rate))
  })
})

type Step = { kind: 'take' } | { kind: 'pass'; ms: number } | { kind: 'complain'; retryAfterMs: number }
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constant<Step>({ kind: 'take' }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 7, 40, 130, 400, 1100, 4000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('complain' as const), retryAfterMs: fc.constantFrom(1, 300, 1000, 6000) }) },
  ),
  { maxLength: 150, size: 'max' },
)

/** What a rate gives in a time, when it grows by half each second. */
const givenIn = (rate: number, ms: number) => (rate * (1.5 ** (ms / 1000) - 1)) / Math.log(1.5)

test('whatever complaints come when: after each, nothing more goes out before its pause is over, and never more than the rate has given since', () => {
  fc.assert(
    fc.property(steps, (schedule) => {
      const { budget, clock } = setUp()
      let paused = 0
      // What was allowed to go since the last complaint, and when; and the rate that the complaint left.
      let sends: number[] = []
      let rate = Number.POSITIVE_INFINITY
      for (const step of schedule) {
        if (step.kind === 'pass') clock.now += step.ms
        else if (step.kind === 'complain') {
          budget.throttled(step.retryAfterMs)
          paused = Math.max(paused, clock.now + step.retryAfterMs)
          sends = []
          rate = budget.rate()
        } else {
          const wait = budget.take()
          if (budget.rate() === Number.POSITIVE_INFINITY) rate = Number.POSITIVE_INFINITY
          if (wait === null) continue
          expect([wait >= 0, wait <= maxWaitMs, clock.now + wait >= paused]).toEqual([true, true, true])
          sends.push(clock.now + wait)
        }
        if (rate === Number.POSITIVE_INFINITY) continue
        // A second's worth may have been saved up before a complaint that cut nothing.
        const tooMany = sends.toSorted((x, y) => x - y).filter((at, index) => index + 1 > 1.001 + rate + givenIn(rate, at - paused))
        expect(tooMany).toEqual([])
      }
    }),
    { numRuns: howMany(150, 10_000) },
  )
})

test('whatever happens, there is a rate of at least five, and the next request is never further off than pause and queue', () => {
  fc.assert(
    fc.property(steps, (schedule) => {
      const { budget, clock } = setUp()
      for (const step of schedule) {
        if (step.kind === 'pass') clock.now += step.ms
        else if (step.kind === 'complain') budget.throttled(step.retryAfterMs)
        else budget.take()
        expect(budget.rate()).toBeGreaterThanOrEqual(5)
        // The queue is as long as what was granted: five seconds of it and one more request, at a rate that may have been halved since.
        expect(budget.waitMs()).toBeLessThan(6000 + 60 * maxWaitMs)
        expect(Number.isNaN(budget.waitMs())).toBe(false)
      }
    }),
    { numRuns: howMany(100, 5000) },
  )
})
