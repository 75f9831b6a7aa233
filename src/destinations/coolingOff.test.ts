import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CoolingOff, changedCoolingOff, coolingOffAt, usualCoolingOff } from './coolingOff.ts'

const at = new Date('2026-05-01T12:00:00Z')
const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000)

test('a longer time applies at once, and ends a shorter one that waits', () => {
  expect(changedCoolingOff(usualCoolingOff, 48, at)).toEqual({ hours: 48, next: null })
  expect(changedCoolingOff({ hours: 24, next: { hours: 0, from: later(3) } }, 24, at)).toEqual({
    hours: 24,
    next: null,
  })
})

test('a shorter time applies when the present one has passed', () => {
  const asked = changedCoolingOff(usualCoolingOff, 0, at)
  expect(asked).toEqual({ hours: 24, next: { hours: 0, from: later(24) } })
  expect(coolingOffAt(asked, new Date(later(24).getTime() - 1))).toEqual(asked)
  expect(coolingOffAt(asked, later(24))).toEqual({ hours: 0, next: null })
})

test('a second request keeps the moment of the first, unless it is shorter', () => {
  const asked = changedCoolingOff(usualCoolingOff, 6, at)
  expect(changedCoolingOff(asked, 6, later(5))).toEqual(asked)
  expect(changedCoolingOff(asked, 12, later(5))).toEqual({ hours: 24, next: { hours: 12, from: later(24) } })
  expect(changedCoolingOff(asked, 1, later(5))).toEqual({ hours: 24, next: { hours: 1, from: later(29) } })
})

test('for any requests: a time gets shorter only if that was requested as long ago as the time before', () => {
  const request = fc.record({
    hour: fc.integer({ min: 0, max: 120 }),
    hours: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      let held: CoolingOff = usualCoolingOff
      for (let hour = 0; hour < 240; hour++) {
        const before = held.hours
        held = coolingOffAt(held, later(hour))
        const allowed = requests.some((each) => each.hour <= hour - before && each.hours <= held.hours)
        expect(held.hours >= before || allowed).toBe(true)
        for (const { hours } of requests.filter((each) => each.hour === hour)) {
          const asked = changedCoolingOff(held, hours, later(hour))
          expect(asked.hours).toBe(Math.max(held.hours, hours))
          held = asked
        }
      }
    }),
  )
})
