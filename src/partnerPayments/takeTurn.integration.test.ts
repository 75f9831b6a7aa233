import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { takeTurn } from './partnerTurns.ts'
import { takeSharedTurn } from './sharedTurns.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe.each([takeTurn, takeSharedTurn])('%p:', (of) => {
  const take = (partner: string, perSecond: number, maxWaitMs: number) =>
    of(database.db, `${of.name} ${partner}`, perSecond, maxWaitMs)

  test('the first turn is now, and later ones follow at the pace of the partner, at any number of requests at once', async () => {
    const turns = await Promise.all(Array.from({ length: 5 }, () => take('paced', 2, 10_000)))
    const waits = turns.map(({ inMs }) => inMs).sort((a, b) => a - b)
    expect(turns.some(({ isTooLate }) => isTooLate)).toBe(false)
    waits.forEach((wait, index) => {
      expect(wait).toBeLessThanOrEqual(index * 500)
      expect(wait).toBeGreaterThan(index * 500 - 400)
    })
  })

  test('a turn that is too far away is not taken, and reports when to come back', async () => {
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
})

test('requests of one process share a statement, and a failure reaches each of them', async () => {
  let statements = 0
  const query = (...args: Parameters<typeof database.db.query>) => {
    statements++
    if (statements > 20) throw new Error('away')
    return database.db.query(...args)
  }
  const db = { ...database.db, query } as typeof database.db
  const turns = await Promise.all(Array.from({ length: 40 }, () => takeSharedTurn(db, 'shared', 1000, 1000)))
  expect(new Set(turns.map(({ isTooLate }) => isTooLate))).toEqual(new Set([false]))
  expect(statements).toBeLessThanOrEqual(3)
  statements = 20
  const failed = await Promise.allSettled(
    Array.from({ length: 3 }, () => takeSharedTurn(db, 'shared', 1000, 1000)),
  )
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  statements = 0
  expect(await takeSharedTurn(db, 'shared', 1000, 1000)).toMatchObject({ isTooLate: false })
})
