import { expect, test } from '@jest/globals'
import { whenDatabaseIsBack } from './whenDatabaseIsBack.ts'

const away = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

test('repeats until the database is back, then once', async () => {
  const errors = [away(), away()]
  let calls = 0
  await whenDatabaseIsBack(10_000, async () => {
    calls++
    const error = errors.pop()
    if (error) throw error
  })
  expect(calls).toBe(3)
})

test('does not repeat another failure, and ends with its time', async () => {
  let calls = 0
  const work = (error: Error) => async () => {
    calls++
    throw error
  }
  await whenDatabaseIsBack(10_000, work(new Error('a defect')))
  expect(calls).toBe(1)
  await whenDatabaseIsBack(1, work(away()))
  expect(calls).toBe(2)
})
