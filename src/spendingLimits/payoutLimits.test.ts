import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { changedLimit, limitAt, type PayoutLimit, shortest } from './payoutLimits.ts'

const at = new Date('2026-05-01T12:00:00Z')
const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000)
const limited = (value: string | null): PayoutLimit => ({ value, next: null })

test('a lower limit applies at once, and ends a higher one that waits', () => {
  expect(changedLimit(limited(null), '100', 24, at)).toEqual(limited('100'))
  expect(changedLimit({ value: '100', next: { value: null, from: later(3) } }, '99.999999', 24, at)).toEqual(
    limited('99.999999'),
  )
})

test('a higher one, and no limit, apply when the cooling-off time has passed', () => {
  for (const wanted of ['100.000001', '1000', null]) {
    const asked = changedLimit(limited('100'), wanted, 24, at)
    expect(asked).toEqual({ value: '100', next: { value: wanted, from: later(24) } })
    expect(limitAt(asked, new Date(later(24).getTime() - 1))).toEqual(asked)
    expect(limitAt(asked, later(24))).toEqual(limited(wanted))
  }
  expect(changedLimit(limited('100'), null, 0, at)).toEqual(limited(null))
})

test('a second request keeps the moment of the first, unless it is higher', () => {
  const asked = changedLimit(limited('100'), '200', 24, at)
  expect(changedLimit(asked, '200', 24, later(5))).toEqual(asked)
  expect(changedLimit(asked, '150', 24, later(5))).toEqual({
    value: '100',
    next: { value: '150', from: later(24) },
  })
  expect(changedLimit(asked, null, 24, later(5))).toEqual({
    value: '100',
    next: { value: null, from: later(29) },
  })
})

test('the shortest form of an amount', () =>
  expect(['0', '1.50', '1.000001', null].map(shortest)).toEqual(['0', '1.5', '1.000001', null]))

test('for any requests: a limit gets higher only if that was requested as long ago as the cooling-off time', () => {
  const request = fc.record({
    hour: fc.integer({ min: 0, max: 120 }),
    value: fc.option(fc.integer({ min: 0, max: 60 })),
  })
  const height = (value: string | null) => (value === null ? Number.POSITIVE_INFINITY : Number(value))
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), fc.integer({ min: 0, max: 72 }), (requests, hours) => {
      let held = limited('30')
      for (let hour = 0; hour < 240; hour++) {
        const before = height(held.value)
        held = limitAt(held, later(hour))
        const isAllowed = requests.some(
          (each) => each.hour <= hour - hours && height(each.value?.toString() ?? null) >= height(held.value),
        )
        expect(height(held.value) <= before || isAllowed).toBe(true)
        for (const { value } of requests.filter((each) => each.hour === hour))
          held = changedLimit(held, value?.toString() ?? null, hours, later(hour))
      }
    }),
  )
})
