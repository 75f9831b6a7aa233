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
  test('opens for a second at the fifth failure in a row', () => {
    const { health, clock, fail } = setUp()
    fail(4)
    expect([health.available(), health.openUntil()]).toEqual([true, 0])
    fail(1)
    expect([health.available(), health.openUntil()]).toEqual([false, clock.now + 1000])
  })

  test('counts only failures in a row', () => {
    const { health, fail } = setUp()
    for (let i = 0; i < 10; i++) {
      fail(4)
      health.succeeded()
    }
    expect(health.available()).toBe(true)
  })

  test('is half open after its time: one trial request, and no other until its result is known', () => {
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

  test('allows any number of requests while it is closed', () => {
    const { health } = setUp()
    for (let i = 0; i < 5; i++) {
      health.began()
      expect(health.available()).toBe(true)
    }
  })

  test('opens for twice as long after each failed trial, for at most 30 seconds', () => {
    const { health, clock, fail } = setUp()
    fail(5)
    for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]) {
      expect(health.openUntil() - clock.now).toBe(ms)
      clock.now += ms
      health.began()
      fail(1)
    }
  })

  test('starts at one second again after a success', () => {
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
  test('is unknown before the first measurement, also after failures', () => {
    const { health, fail } = setUp()
    fail(3)
    expect(health.score()).toBeNull()
  })

  test('is the latency of a provider that does not fail, with a weight of a fifth for the newest', () => {
    const { health } = setUp()
    health.measured(100)
    expect(health.score()).toBe(100)
    health.measured(200)
    expect(health.score()).toBeCloseTo(120)
  })

  test('gets worse with each failure and better with each success', () => {
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

  test('recovers: half of the penalty is left after half a minute, almost nothing after ten minutes', () => {
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

  test('is never better than the latency and never more than 21 times worse', () => {
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

test('a breaker never stays open for longer than 30 seconds', () => {
  const steps = fc.array(
    fc.record({ what: fc.constantFrom('fail', 'succeed', 'begin'), ms: fc.nat(40_000) }),
    { maxLength: 100 },
  )
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
