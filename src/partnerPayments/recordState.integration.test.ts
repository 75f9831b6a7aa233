import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { newId } from '../platform/ids.ts'
import type { PartnerPayment } from './partner.ts'
import { recordState } from './recordState.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const paymentOf = (id: string, status: string, updatedAt: number): PartnerPayment => ({
  id,
  sequenceId: `ours-${id}`,
  status,
  currency: 'NGN',
  localAmount: '1',
  amountUsd: '1',
  rate: '1',
  feeLocal: null,
  feeUsd: null,
  errorCode: null,
  sessionId: null,
  updatedAt: new Date(updatedAt),
  expiresAt: null,
})
const known = async (id: string) =>
  (
    await database.db.query<{ status: string }>(
      'select status from partner_payment_states where partner = $1 and partner_payment_id = $2',
      ['yellowcard', id],
    )
  )[0]?.status

interface Seen {
  /** Of the state, by the partner. */
  updatedAt: number
  /** Of the request. */
  askedAt: number
}

test('of states that arrive in any order, also at once and twice, the newest by the partner stays; of equal ones the last requested', async () => {
  const seen = fc.record({
    updatedAt: fc.integer({ min: 1, max: 5 }),
    askedAt: fc.integer({ min: 1, max: 5 }),
  })
  const statusOf = ({ updatedAt, askedAt }: Seen) => `status ${updatedAt} ${askedAt}`
  const histories = fc.array(seen, { minLength: 1, maxLength: 8 }).map((all) => [...all, ...all.slice(0, 2)])
  await fc.assert(
    fc.asyncProperty(histories, fc.boolean(), async (history, atOnce) => {
      const id = newId()
      const record = (each: Seen) =>
        recordState(
          database,
          'yellowcard',
          paymentOf(id, statusOf(each), each.updatedAt),
          new Date(each.askedAt),
        )
      if (atOnce) await Promise.all(history.map(record))
      else for (const each of history) await record(each)
      const [newest] = [...history].sort((a, b) => b.updatedAt - a.updatedAt || b.askedAt - a.askedAt)
      expect(await known(id)).toBe(statusOf(newest as Seen))
    }),
    { numRuns: 60 },
  )
})

test('payments of two partners with the same id are two', async () => {
  const id = newId()
  await recordState(database, 'yellowcard', paymentOf(id, 'pending', 2), new Date(2))
  await recordState(database, 'another', paymentOf(id, 'complete', 1), new Date(1))
  expect(await known(id)).toBe('pending')
})

test('a time of the partner from the future does not hide what comes later', async () => {
  const id = newId()
  const [now, century] = [Date.now(), 100 * 365 * 86_400_000]
  const record = (status: string, updatedAt: number, askedAt: number) =>
    recordState(database, 'yellowcard', paymentOf(id, status, updatedAt), new Date(askedAt))
  expect(await record('processing', now + century, now)).toBe(true)
  // An honest change is seen when ten minutes have passed.
  expect(await record('complete', now - 5000, now + 60_000)).toBe(false)
  expect(await record('complete', now - 5000, now + 601_000)).toBe(true)
  expect(await record('processing', now + century, now)).toBe(false)
  expect(await record('failed', now + 602_000, now + 603_000)).toBe(true)
  // As an earlier version has stored it.
  await database.db.query(
    "update partner_payment_states set updated_at = now() + interval '100 years' where partner_payment_id = $1",
    [id],
  )
  expect(await record('complete', now, now + 1_300_000)).toBe(true)
  expect(await known(id)).toBe('complete')
})
