import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import { createBudget } from './budget.ts'

const maxWaitMs = 5000
const longAgo = 1_700_000_000_000

/** A budget with a clock that the test controls. */
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
  test('is unlimited until the provider throttles', () => {
    const { budget } = setUp()
    expect(budget.rate()).toBe(Number.POSITIVE_INFINITY)
    for (let i = 0; i < 10_000; i++) expect(budget.take()).toBe(0)
  })

  test('is seven tenths of the rate of the last whole second, once throttled', () => {
    const { budget, second } = setUp()
    second(40)
    second(40)
    budget.throttled(1000)
    expect(budget.rate()).toBeCloseTo(28)
  })

  test('is cut once by a burst of throttled answers, with or without a pause', () => {
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

  test('is cut again if throttled after the pause', () => {
    const { budget, clock, second } = setUp()
    second(40)
    budget.throttled(1000)
    clock.now += 1000
    budget.throttled(1000)
    expect(budget.rate()).toBeLessThanOrEqual(19.6)
  })

  test('never falls below five requests a second, however often it is throttled', () => {
    const { budget, clock } = setUp()
    for (let i = 0; i < 20; i++) {
      budget.take()
      budget.throttled(1)
      clock.now += 1000
      expect(budget.rate()).toBeGreaterThanOrEqual(5)
      expect(budget.rate()).toBeLessThan(20)
    }
  })

  test('grows by half each second, so that it recovers in about a second', () => {
    const { budget, clock, second } = setUp()
    second(10)
    budget.throttled(1)
    expect(budget.rate()).toBeCloseTo(7)
    clock.now += 1000
    expect(budget.rate()).toBeCloseTo(10.5, 1)
  })

  test('does not grow during a pause', () => {
    const { budget, clock, second } = setUp()
    second(10)
    budget.throttled(20_000)
    clock.now += 20_000
    expect(budget.rate()).toBeCloseTo(7)
  })

  test('is dropped when it is far above the sent rate', () => {
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

  test('sends nothing during the pause that the provider requested, and no burst after it', () => {
    const { budget, clock, second } = setUp()
    second(40)
    budget.throttled(3000)
    const waits = Array.from({ length: 10 }, () => budget.take())
    expect(waits.every((wait) => wait !== null && wait > 3000)).toBe(true)
    // Twenty-eight a second: one by one, evenly.
    expect(waits.map((wait) => Math.round((wait ?? 0) - 3000))).toEqual(
      Array.from({ length: 10 }, (_, i) => Math.round((1000 / 28) * (i + 1))),
    )
    clock.now += 3000
    expect(budget.waitMs()).toBeGreaterThan(0)
  })

  test('extends a pause when throttled again, and never shortens it', () => {
    const { budget, clock } = setUp()
    budget.throttled(3000)
    clock.now += 1000
    budget.throttled(500)
    expect(budget.waitMs()).toBeGreaterThanOrEqual(2000)
    budget.throttled(4000)
    expect(budget.waitMs()).toBeGreaterThanOrEqual(4000)
  })

  test('delays requests up to the maximum wait; a refused request costs nothing', () => {
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

  test('allows at most one second’s worth at once after idle time', () => {
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
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.constantFrom(1, 7, 40, 130, 400, 1100, 4000),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('complain' as const),
        retryAfterMs: fc.constantFrom(1, 300, 1000, 6000),
      }),
    },
  ),
  { maxLength: 150, size: 'max' },
)

/** Requests that a rate allows in a time, growing by half each second. */
const givenIn = (rate: number, ms: number) => (rate * (1.5 ** (ms / 1000) - 1)) / Math.log(1.5)

test('after each throttled answer, nothing is sent before the pause ends, and never more than the rate allows', () => {
  fc.assert(
    fc.property(steps, (schedule) => {
      const { budget, clock } = setUp()
      let paused = 0
      // Requests allowed since the last throttled answer, and the rate at that time.
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
        // A second's worth may have accumulated before a throttled answer that did not cut the rate.
        const tooMany = sends
          .toSorted((x, y) => x - y)
          .filter((at, index) => index + 1 > 1.001 + rate + givenIn(rate, at - paused))
        expect(tooMany).toEqual([])
      }
    }),
    { numRuns: howMany(150, 10_000) },
  )
})

test('the rate is always at least five, and the next request waits for pause and queue at most', () => {
  fc.assert(
    fc.property(steps, (schedule) => {
      const { budget, clock } = setUp()
      for (const step of schedule) {
        if (step.kind === 'pass') clock.now += step.ms
        else if (step.kind === 'complain') budget.throttled(step.retryAfterMs)
        else budget.take()
        expect(budget.rate()).toBeGreaterThanOrEqual(5)
        // The queue is as long as was granted: five seconds and one more request, at a rate that may have
        // been halved since.
        expect(budget.waitMs()).toBeLessThan(6000 + 60 * maxWaitMs)
        expect(Number.isNaN(budget.waitMs())).toBe(false)
      }
    }),
    { numRuns: howMany(100, 5000) },
  )
})
