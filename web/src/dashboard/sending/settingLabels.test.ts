import { expect, test } from '@jest/globals'
import { writeSetting } from './settingLabels.ts'

test('the fields of a setting are written in a line', () => {
  expect(writeSetting({ approvalAbove: null, maxPerDay: '5', coolingOffHours: 2 })).toBe(
    'approval above: no limit; per day: 5; cooling-off hours: 2',
  )
  expect(writeSetting({ ownersNeedSecondFactor: false })).toBe('required: no')
  const [off, on] = [
    { enabled: false, destinationId: null },
    { enabled: true, destinationId: 'x' },
  ]
  expect(writeSetting({ 'base:USDC': off, 'base:USDT': on })).toBe(
    'base:USDC: off; base:USDT: to destination x',
  )
})
