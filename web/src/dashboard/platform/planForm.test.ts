import { expect, test } from '@jest/globals'
import { percentOf } from './planForm.ts'

test('a percentage is shown exactly, and never in scientific notation', () => {
  expect([0, 5.5, 100, 0.00000001, 137.12345678].map(percentOf)).toEqual(['0', '5.5', '100', '0.00000001', '137.12345678'])
})
