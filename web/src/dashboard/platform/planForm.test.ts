import { expect, test } from '@jest/globals'
import { lockOf, percentOf, readPlan } from './planForm.ts'

test('a percentage is shown exactly, and never in scientific notation', () => {
  expect([0, 5.5, 100, 0.00000001, 137.12345678].map(percentOf)).toEqual([
    '0',
    '5.5',
    '100',
    '0.00000001',
    '137.12345678',
  ])
})

test('a lock is shown with its penalty, where there is one', () => {
  const locks = [0, 1, 30].map((lockDays) => lockOf({ lockDays, penaltyPercent: 1.5 }))
  expect(locks).toEqual(['None', '1 day, penalty 1.5 %', '30 days, penalty 1.5 %'])
})

test('a plan is created with the type of the form', () => {
  const data = new FormData()
  for (const [name, value] of Object.entries({
    chain: 'solana',
    token: ' SOL ',
    type: 'native',
    lockDays: '0',
  }))
    data.set(name, value)
  expect(readPlan(data)).toMatchObject({ chain: 'solana', token: 'SOL', type: 'native', lockDays: 0 })
})
