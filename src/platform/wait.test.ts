import { expect, test } from '@jest/globals'
import { inTime } from './wait.ts'

test('an answer that is there already is never late', async () => {
  expect(await inTime(0, Promise.resolve('here'), 'late')).toBe('here')
  expect(await inTime(-5, Promise.resolve('here'), 'late')).toBe('here')
})

test('work without an answer is late, and a failure after that is ignored', async () => {
  let fail: (error: Error) => void = () => {}
  const work = new Promise<string>((_resolve, reject) => {
    fail = reject
  })
  expect(await inTime(1, work, 'late')).toBe('late')
  fail(new Error('after the end'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('work that fails in time fails', async () => {
  await expect(inTime(1000, Promise.reject(new Error('refused')), 'late')).rejects.toThrow('refused')
})
