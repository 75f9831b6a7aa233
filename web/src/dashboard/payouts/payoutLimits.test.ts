import { expect, test } from '@jest/globals'
import { limitsIn } from './payoutLimits.ts'
import type { PayoutSettings } from './types.ts'

const from = '2026-11-27T10:00:00.000Z'
const settings: PayoutSettings = {
  coolingOffHours: 24,
  next: { coolingOffHours: 2, from },
  maxPerPayout: '100',
  maxPerDay: '500',
  approvalAbove: null,
  nextLimits: { maxPerPayout: null, maxPerDay: { value: null, from }, approvalAbove: null },
  excessHoldDays: 30,
  nextExcessHold: null,
}

function form(values: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}

test('only what has changed is sent; what waits keeps its time', () => {
  expect(limitsIn(settings, form({ maxPerPayout: '100', maxPerDay: '', approvalAbove: '' }))).toEqual({
    coolingOffHours: 2,
  })
  expect(limitsIn(settings, form({ maxPerPayout: '', maxPerDay: '500', approvalAbove: ' 99.5 ' }))).toEqual({
    coolingOffHours: 2,
    maxPerPayout: null,
    maxPerDay: '500',
    approvalAbove: '99.5',
  })
})

test.each(['-1', '1e3', '1,000', '01', '.5', '1.1234567'])('%j is refused at its field', (text) => {
  const problem = { fields: { maxPerDay: 'Enter an amount of US dollars, such as 2500 or 99.50.' } }
  expect(() => limitsIn(settings, form({ maxPerPayout: '100', maxPerDay: text, approvalAbove: '' }))).toThrow(
    expect.objectContaining(problem),
  )
})
