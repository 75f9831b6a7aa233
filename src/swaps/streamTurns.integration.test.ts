import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { takeTurn } from '../partnerPayments/partnerTurns.ts'
import { createStreamTurns } from './streamTurns.ts'

const provider = { name: 'jupiter', perSecond: 10 } as const
const readersOf = (businessId: string, signal = new AbortController().signal) => ({
  signal,
  businesses: () => [businessId],
})
const idle = readersOf('one')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(() => database.db.query('delete from partner_turns'))

test('a quote takes its turn before all streams that wait', async () => {
  const { db } = database
  const streamTurn = createStreamTurns(db)
  const order: string[] = []
  await takeTurn(db, provider.name, provider.perSecond, 0)
  const streams = [1, 2].map((each) => streamTurn(provider, idle).then(() => order.push(`stream ${each}`)))
  for (let quote = 0; quote < 5; quote++) {
    const { inMs, isTooLate } = await takeTurn(db, provider.name, provider.perSecond, 1000)
    expect([isTooLate, inMs]).toEqual([false, expect.any(Number)])
    order.push(`quote in ${Math.round(inMs / 100) * 100} ms`)
  }
  await Promise.all(streams)
  expect(order.slice(-2)).toEqual(['stream 1', 'stream 2'])
  expect(order).toHaveLength(7)
})

test('streams take turns one after the other, and keep the pace', async () => {
  const streamTurn = createStreamTurns(database.db)
  const order: number[] = []
  const begun = performance.now()
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (each) => streamTurn(provider, idle).then(() => order.push(each))),
  )
  expect(order).toEqual([1, 2, 3, 4, 5, 6])
  expect(performance.now() - begun).toBeGreaterThanOrEqual(490)
})

test('a business with many streams leaves another its share', async () => {
  const streamTurn = createStreamTurns(database.db)
  const order: string[] = []
  const wait = (businessId: string) =>
    streamTurn(provider, readersOf(businessId)).then(() => order.push(businessId))
  const many = Array.from({ length: 8 }, () => wait('many'))
  const few = Array.from({ length: 2 }, () => wait('few'))
  await Promise.all([...many, ...few])
  expect(order.slice(0, 5).filter((each) => each === 'few')).toHaveLength(2)
})

test('a stream that has ended leaves the line without a turn', async () => {
  const streamTurn = createStreamTurns(database.db)
  const ended = new AbortController()
  ended.abort()
  await takeTurn(database.db, provider.name, provider.perSecond, 0)
  const [gone, next] = await Promise.all([
    streamTurn(provider, readersOf('one', ended.signal)),
    streamTurn(provider, idle),
  ])
  expect([gone.isTooLate, next.isTooLate]).toEqual([true, false])
})

test('a database that fails does not stop the line', async () => {
  let fails = true
  const query = (...args: Parameters<typeof database.db.query>) => {
    if (fails) throw new Error('away')
    return database.db.query(...args)
  }
  const streamTurn = createStreamTurns({ ...database.db, query } as typeof database.db)
  await expect(streamTurn(provider, idle)).rejects.toThrow('away')
  fails = false
  expect(await streamTurn(provider, idle)).toMatchObject({ isTooLate: false })
})
