import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { watchPace } from './pace.ts'

const pace = { idleMs: 15_000, minRate: 16_384, spareMs: 30_000 }
let isBlocked: boolean
let late: boolean[]
let watched: ReturnType<typeof watchPace>

beforeEach(() => {
  jest.useFakeTimers()
  isBlocked = false
  late = []
  watched = watchPace(
    pace,
    () => isBlocked,
    (isIdle) => late.push(isIdle),
  )
})
afterEach(() => {
  watched.end()
  jest.useRealTimers()
})

/** Sends as many bytes each second. */
function send(bytesPerSecond: number, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    watched.arrived(bytesPerSecond)
    jest.advanceTimersByTime(1000)
  }
}

test('a body that arrives below the floor of the rate is late once its spare time is used, though bytes keep coming', () => {
  send(8192, 55)
  expect(late).toEqual([])
  send(8192, 10)
  expect(late).toEqual([false])
})

test('a body that arrives at the floor may take any time', () => {
  send(16_384, 3600)
  expect(late).toEqual([])
})

test('a body that stops is late after the time without a byte', () => {
  send(1_000_000, 1)
  jest.advanceTimersByTime(13_500)
  expect(late).toEqual([])
  jest.advanceTimersByTime(1000)
  expect(late).toEqual([true])
})

test('time in which it is not read does not count', () => {
  isBlocked = true
  jest.advanceTimersByTime(3_600_000)
  expect(late).toEqual([])
  isBlocked = false
  jest.advanceTimersByTime(15_500)
  expect(late).toEqual([true])
})
