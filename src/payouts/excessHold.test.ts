import { expect, test } from '@jest/globals'
import { changedExcessHold, type ExcessHold } from './excessHold.ts'

const [usual, coolingOffHours] = [30, 24]
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours))
const change = (before: ExcessHold, days: number, hours: number) =>
  changedExcessHold(before, days, usual, coolingOffHours, at(hours))
const unset: ExcessHold = { days: null, next: null }
const waiting: ExcessHold = { days: null, next: { days: 10, from: at(24) } }

test('a shorter time applies when the cooling-off time has passed', () => {
  expect(change(unset, 10, 0)).toEqual(waiting)
})

test('a second request that is no shorter keeps the moment of the first', () => {
  expect(change(waiting, 10, 12)).toEqual(waiting)
  expect(change(waiting, 20, 12)).toEqual({ days: null, next: { days: 20, from: at(24) } })
})

test('one that is shorter still waits again', () => {
  expect(change(waiting, 5, 12)).toEqual({ days: null, next: { days: 5, from: at(36) } })
})

test('a longer time applies at once, and ends what waits', () => {
  expect(change(waiting, 60, 12)).toEqual({ days: 60, next: null })
})
