import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { howMany } from '../../test/support/full.ts'
import type { Queryable } from '../platform/database/db.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createBankList } from './bankList.ts'
import type { Bank } from './rates.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
afterEach(() => database.db.query('delete from partner_banks'))

const listOf = (number: number): Bank[] => [
  { id: `bank-${number}`, name: 'Bank', code: '1', countryCode: 'NG', currencies: ['NGN'] },
]
const noCurrencies = listOf(0).map((bank) => ({ ...bank, currencies: [] }))

/** A partner with the test's answers, and processes that share a database. */
function setUp() {
  const world = {
    /** Milliseconds by which the test let time pass. */
    passed: 0,
    asked: 0,
    answer: async (): Promise<Bank[]> => listOf(1),
    databaseAway: false,
    queries: 0,
  }
  const partnerAt = (url: string) => ({
    name: 'standin',
    url,
    banks: () => {
      world.asked++
      return world.answer()
    },
  })
  const db: Queryable = {
    query(text, values) {
      world.queries++
      return world.databaseAway
        ? Promise.reject(new Error('the database is away'))
        : database.db.query(text, values)
    },
  }
  const log = createLog('test', 'silent')
  const start = (url = 'https://partner.example') =>
    createBankList({ db, log, partner: partnerAt(url), now: () => performance.now() + world.passed })
  /** Lets time pass, for the processes and in the rows. */
  async function pass(ms: number): Promise<void> {
    world.passed += ms
    await database.db.query(
      `update partner_banks set as_of = as_of - $1 * interval '1 ms', asked_at = asked_at - $1 * interval '1 ms',
         next_ask_at = next_ask_at - $1 * interval '1 ms'`,
      [ms],
    )
  }
  return { world, start, pass }
}

type Read = ReturnType<typeof createBankList>
/** The number of the list that is answered, or the refusal. */
const numberOf = async (read: Read) => {
  const answer = await read().catch(
    (error: { status: number; error: string; retryAfterSeconds: number }) => error,
  )
  if ('banks' in answer) return Number(answer.banks[0]?.id.split('-')[1])
  expect(answer).toMatchObject({ status: 503, error: 'banks_unavailable', retryAfterSeconds: 10 })
  return 'refused'
}
const fails = () => Promise.reject(new Error('connection refused'))
const second = 1000

describe('the list', () => {
  test('survives a restart while the partner is down, as old as it is', async () => {
    const { world, start, pass } = setUp()
    const { asOf } = await start()()
    expect(Math.abs(Date.now() - asOf.getTime())).toBeLessThan(5 * second)
    world.answer = fails
    await pass(86_400 * second)
    expect(await start()()).toEqual({ banks: listOf(1), asOf: new Date(asOf.getTime() - 86_400 * second) })
  })

  test('is refreshed after a minute, not earlier', async () => {
    const { world, start, pass } = setUp()
    const read = start()
    expect(await numberOf(read)).toBe(1)
    world.answer = async () => listOf(2)
    await pass(55 * second)
    expect([await numberOf(read), await numberOf(start()), world.asked]).toEqual([1, 1, 1])
    await pass(10 * second)
    expect([await numberOf(read), world.asked]).toEqual([2, 2])
  })

  test.each([
    ['no bank', async () => []],
    ['banks without a currency', async () => noCurrencies],
    ['an error', fails],
  ])('is not replaced by %s', async (_what, answer) => {
    const { world, start, pass } = setUp()
    const read = start()
    await read()
    world.answer = answer
    await pass(61 * second)
    expect([await numberOf(read), await numberOf(start()), world.asked]).toEqual([1, 1, 2])
  })

  test('that never came is a 503, and the partner is queried again after 10 seconds, by one process', async () => {
    const { world, start, pass } = setUp()
    world.answer = fails
    const reads = [start(), start()]
    const all = () => Promise.all(reads.map(numberOf))
    expect([await all(), world.asked]).toEqual([['refused', 'refused'], 1])
    await pass(5 * second)
    expect([await all(), world.asked]).toEqual([['refused', 'refused'], 1])
    world.answer = async () => listOf(3)
    await pass(6 * second)
    expect([await all(), world.asked]).toEqual([[3, 3], 2])
  })

  test('of another address of the partner is not used', async () => {
    const { world, start } = setUp()
    expect(await numberOf(start('https://sandbox.example'))).toBe(1)
    world.answer = fails
    expect(await numberOf(start('https://live.example'))).toBe('refused')
    expect(await numberOf(start('https://sandbox.example'))).toBe(1)
  })

  test('in the form of another version is read again', async () => {
    const { world, start, pass } = setUp()
    await start()()
    await database.db.query(`update partner_banks set banks = '[{"bankId": "1"}]'`)
    await pass(61 * second)
    world.answer = fails
    expect(await numberOf(start())).toBe('refused')
    world.answer = async () => listOf(2)
    await pass(11 * second)
    expect(await numberOf(start())).toBe(2)
  })

  test('is answered while the database is away', async () => {
    const { world, start, pass } = setUp()
    const read = start()
    await read()
    await pass(61 * second)
    world.databaseAway = true
    expect(await numberOf(read)).toBe(1)
    await expect(start()()).rejects.toThrow('the database is away')
  })
})

describe('requests to the partner', () => {
  test('many processes with many requests make one read, and all get the first list', async () => {
    const { world, start } = setUp()
    let answerNow: (banks: Bank[]) => void = () => {}
    world.answer = () => new Promise((resolve) => (answerNow = resolve))
    const reads = Array.from({ length: 4 }, () => start())
    const all = Promise.all(Array.from({ length: 80 }, (_, at) => numberOf(reads[at % 4] as Read)))
    await waitUntil(() => world.asked > 0)
    answerNow(listOf(7))
    expect(new Set(await all)).toEqual(new Set([7]))
    expect(world.asked).toBe(1)
  })

  test('that fail do not put their load on the database: a hundred requests one after the other read a few times', async () => {
    const { world, start, pass } = setUp()
    const read = start()
    await read()
    world.answer = fails
    await pass(61 * second)
    world.queries = 0
    const started = performance.now()
    for (let i = 0; i < 100; i++) expect(await numberOf(read)).toBe(1)
    // Three for the request that failed; then two or three reads a second.
    expect(world.queries).toBeLessThanOrEqual(3 + 3 * Math.ceil((performance.now() - started) / second))
  })

  test('that hang do not hold back a list that is there', async () => {
    const { world, start, pass } = setUp()
    await start()()
    world.answer = () => new Promise(() => {})
    await pass(61 * second)
    const read = start()
    const started = performance.now()
    expect(await numberOf(read)).toBe(1)
    expect(performance.now() - started).toBeLessThan(5 * second)
    // The others do not wait again.
    for (let i = 0; i < 5; i++) expect(await numberOf(read)).toBe(1)
    expect(performance.now() - started).toBeLessThan(5 * second)
  })

  test('of a process that died are repeated; if it lives after all, its late answer is dropped', async () => {
    const { world, start, pass } = setUp()
    let lateAnswer: (banks: Bank[]) => void = () => {}
    world.answer = () => new Promise((resolve) => (lateAnswer = resolve))
    const frozen = start()
    const waiting = numberOf(frozen)
    await waitUntil(() => world.asked > 0)
    world.answer = async () => listOf(2)
    await pass(31 * second)
    expect(await numberOf(start())).toBe(2)
    lateAnswer(listOf(1))
    expect(await waiting).toBe('refused')
    await pass(2 * second)
    expect([await numberOf(frozen), await numberOf(start())]).toEqual([2, 2])
  })
})

const waitUntil = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('in any history of answers, outages, restarts and processes the newest good list is answered, and the partner rarely queried', async () => {
  const step = fc.record({
    waitSeconds: fc.constantFrom(0, 2, 5, 12, 43, 70, 3600),
    answers: fc.constantFrom('list', 'list', 'error', 'no bank', 'no currency'),
    restarts: fc.subarray([0, 1, 2]),
    reads: fc.array(fc.nat(2), { minLength: 1, maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      await database.db.query('delete from partner_banks')
      const { world, start, pass } = setUp()
      const reads = [start(), start(), start()]
      /** When each list was answered, by number; the newest is the last. */
      const good: number[] = []
      let mayAskAt = Number.NEGATIVE_INFINITY
      /** The same with the time that the machine itself takes. */
      let mayReallyAskAt = Number.NEGATIVE_INFINITY
      const tooSoon: number[] = []
      for (const { waitSeconds, answers, ...more } of steps) {
        await pass(waitSeconds * second)
        for (const each of more.restarts) reads[each] = start()
        const now = world.passed
        world.answer = async () => {
          // At most once a minute, and once in 10 s after a failure.
          const really = performance.now() + world.passed
          if (really + second <= mayReallyAskAt) tooSoon.push(now)
          const waitMs = (answers === 'list' ? 60 : 10) * second
          mayAskAt = now + waitMs
          mayReallyAskAt = really + waitMs
          if (answers === 'error') throw new Error('down')
          if (answers === 'no bank') return []
          if (answers === 'no currency') return noCurrencies
          return listOf(good.push(now) - 1)
        }
        const couldAsk = now >= mayAskAt
        const isGood = answers === 'list'
        for (const number of await Promise.all(more.reads.map((each) => numberOf(reads[each] as Read)))) {
          const newest = good.length - 1
          if (number === 'refused') expect(good).toEqual([])
          // An older one only where the newest is less than a minute younger than the process's own.
          else if (number !== newest)
            expect(now - (good[Number(number)] ?? 0)).toBeLessThanOrEqual(61 * second)
          if (isGood && couldAsk && number !== 'refused')
            expect(now - (good[Number(number)] ?? 0)).toBeLessThanOrEqual(61 * second)
        }
        expect(tooSoon).toEqual([])
      }
    }),
    { numRuns: howMany(15, 400) },
  )
})
