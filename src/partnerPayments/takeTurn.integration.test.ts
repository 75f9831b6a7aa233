import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { takeTurn } from './partnerTurns.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const take = (partner: string, perSecond: number, maxWaitMs: number) => takeTurn(database.db, partner, perSecond, maxWaitMs)

test('the first turn is now, and later ones follow at the pace of the partner, however many ask at once', async () => {
  const turns = await Promise.all(Array.from({ length: 5 }, () => take('paced', 2, 10_000)))
  const waits = turns.map(({ inMs }) => inMs).sort((a, b) => a - b)
  expect(turns.some(({ isTooLate }) => isTooLate)).toBe(false)
  waits.forEach((wait, index) => {
    expect(wait).toBeLessThanOrEqual(index * 500)
    expect(wait).toBeGreaterThan(index * 500 - 400)
  })
})

test('a turn that is too far away is not taken, and says when to come back', async () => {
  await Promise.all([take('busy', 1, 60_000), take('busy', 1, 60_000), take('busy', 1, 60_000)])
  const refused = await Promise.all(Array.from({ length: 20 }, () => take('busy', 1, 1000)))
  expect(refused.every(({ isTooLate }) => isTooLate)).toBe(true)
  expect(Math.max(...refused.map(({ inMs }) => inMs))).toBeLessThanOrEqual(3000)
  // Those that were refused have used up nothing.
  expect((await take('busy', 1, 60_000)).inMs).toBeLessThanOrEqual(3000)
})

test('one that waits longer still gets a turn, when quotes get no more', async () => {
  const quotes = await Promise.all(Array.from({ length: 30 }, () => take('mixed', 1, 1000)))
  expect(quotes.filter(({ isTooLate }) => !isTooLate)).toHaveLength(2)
  const execution = await take('mixed', 1, 5000)
  expect(execution).toMatchObject({ isTooLate: false })
  expect(execution.inMs).toBeLessThanOrEqual(2000)
})

test('partners do not wait for each other', async () => {
  await Promise.all([take('one', 1, 60_000), take('one', 1, 60_000)])
  expect((await take('other', 1, 1000)).inMs).toBe(0)
})
