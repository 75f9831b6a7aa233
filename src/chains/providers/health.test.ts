import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createHealth } from './health.ts'

function setUp() {
  const clock = { now: 1_000_000 }
  const health = createHealth(() => clock.now)
  return {
    clock,
    health,
    fail: (count: number) => {
      for (let i = 0; i < count; i++) health.failed()
    },
  }
}

describe('the breaker', () => {
  test('opens at the fifth failure in a row, for a second', () => {
    const { health, clock, fail } = setUp()
    fail(4)
    expect([health.available(), health.openUntil()]).toEqual([true, 0])
    fail(1)
    expect([health.available(), health.openUntil()]).toEqual([false, clock.now + 1000])
  })

  test('counts failures in a row only', () => {
    const { health, fail } = setUp()
    for (let i = 0; i < 10; i++) {
      fail(4)
      health.succeeded()
    }
    expect(health.available()).toBe(true)
  })

  test('is half open when its time is over: one may try, and until it is known how that went no other', () => {
    const { health, clock, fail } = setUp()
    fail(5)
    clock.now += 999
    expect(health.available()).toBe(false)
    clock.now += 1
    expect(health.available()).toBe(true)
    health.began()
    expect(health.available()).toBe(false)
    clock.now += 60_000
    expect(health.available()).toBe(false)
    health.succeeded()
    expect([health.available(), health.openUntil()]).toEqual([true, 0])
  })

  test('lets any number through while it is closed', () => {
    const { health } = setUp()
    for (let i = 0; i < 5; i++) {
      health.began()
      expect(health.available()).toBe(true)
    }
  })

  test('opens for twice as long by each failed try, 30 seconds at most', () => {
    const { health, clock, fail } = setUp()
    fail(5)
    for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]) {
      expect(health.openUntil() - clock.now).toBe(ms)
      clock.now += ms
      health.began()
      fail(1)
    }
  })

  test('begins at one second again after a success', () => {
    const { health, clock, fail } = setUp()
    fail(5)
    for (let i = 0; i < 4; i++) {
      clock.now = health.openUntil()
      health.began()
      fail(1)
    }
    health.succeeded()
    fail(5)
    expect(health.openUntil() - clock.now).toBe(1000)
  })
})

describe('the score', () => {
  test('is not known before something was measured, whatever failed', () => {
    const { health, fail } = setUp()
    fail(3)
    expect(health.score()).toBeNull()
  })

  test('is the latency of one that does not fail, the newest counting for a fifth', () => {
    const { health } = setUp()
    health.measured(100)
    expect(health.score()).toBe(100)
    health.measured(200)
    expect(health.score()).toBeCloseTo(120)
  })

  test('becomes worse by each failure and better by each success', () => {
    const { health, fail } = setUp()
    health.measured(100)
    const scores = [health.score()]
    fail(1)
    scores.push(health.score())
    fail(1)
    scores.push(health.score())
    const [none, one, two] = scores as [number, number, number]
    expect(one).toBeGreaterThan(none)
    expect(two).toBeGreaterThan(one)
    health.succeeded()
    expect(health.score()).toBeLessThan(two)
  })

  test('forgives: half of what failures made worse is gone after half a minute, all but nothing after ten', () => {
    const { health, clock, fail } = setUp()
    health.measured(100)
    fail(1)
    const worse = (health.score() ?? 0) - 100
    expect(worse).toBeGreaterThan(100)
    clock.now += 30_000
    expect((health.score() ?? 0) - 100).toBeCloseTo(worse / 2)
    clock.now += 600_000
    expect(health.score()).toBeCloseTo(100, 1)
  })

  test('is never better than the latency and never more than 21 times as bad', () => {
    const outcomes = fc.array(fc.record({ fails: fc.boolean(), ms: fc.nat(60_000) }), { maxLength: 100 })
    fc.assert(
      fc.property(outcomes, (all) => {
        const { health, clock } = setUp()
        health.measured(100)
        for (const { fails, ms } of all) {
          clock.now += ms
          if (fails) health.failed()
          else health.succeeded()
          expect(health.score()).toBeGreaterThanOrEqual(100)
          expect(health.score()).toBeLessThanOrEqual(2100)
        }
      }),
    )
  })
})

test('whatever happens, a breaker never stays open for longer than 30 seconds', () => {
  const steps = fc.array(fc.record({ what: fc.constantFrom('fail', 'succeed', 'begin'), ms: fc.nat(40_000) }), { maxLength: 100 })
  fc.assert(
    fc.property(steps, (all) => {
      const { health, clock } = setUp()
      for (const { what, ms } of all) {
        clock.now += ms
        if (what === 'fail') health.failed()
        else if (what === 'succeed') health.succeeded()
        else health.began()
        expect(health.openUntil()).toBeLessThanOrEqual(clock.now + 30_000)
      }
    }),
  )
})
