import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { newId } from '../../src/platform/ids.ts'
import { assessRisk } from '../../src/verification/assessRisk.ts'
import type { VerificationContext } from '../../src/verification/context.ts'
import { eraseVerification } from '../../src/verification/eraseVerification.ts'
import { sandboxVerifier } from '../../src/verification/sandboxVerifier.ts'
import { maxPending } from '../../src/verification/storeRequest.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { full, howMany } from '../support/full.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { madeContext, setPrice, setProductPrice } from '../support/madeVerifications.ts'
import { history, price } from './verification/creditModel.ts'
import { runHistory } from './verification/runHistory.ts'

/** Random histories of prepaid credit: never negative, never taken twice, never lost. */

const timeoutMs = full ? 7_200_000 : 300_000
let database: TestDatabase
let ctx: VerificationContext

beforeAll(async () => {
  database = await createTestDatabase(20)
  ctx = madeContext(database.db, sandboxVerifier)
  await setPrice(database.db, 'NG', 'passport', price)
  for (const product of ['assessment', 'decision'] as const)
    await setProductPrice(database.db, product, price)
})
afterAll(() => database?.drop())

test(
  'the books are those of a plain model',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, (each) => runHistory(ctx, each, true)),
      { numRuns: howMany(50, 2500) },
    )
  },
  timeoutMs,
)

test(
  '50 histories at once: the same, and every assessment that its credit covers has been resumed once',
  async () => {
    const histories = fc.sample(history, howMany(50, 2500))
    for (let from = 0; from < histories.length; from += 50)
      await Promise.all(histories.slice(from, from + 50).map((each) => runHistory(ctx, each, false)))
  },
  timeoutMs,
)

test('a business has a limited number of requests that cost nothing: past it 402, and nothing is stored', async () => {
  const businessId = newId()
  await insertBusiness(database.db, businessId, 'without credit')
  await database.db.query(
    `insert into verifications (id, kind, business_id, request_id, price, status, data_key, next_attempt_at)
     select gen_random_uuid(), 'assessment', $1, 'free-' || n, 1000, 'pending_credit', '\\x00', null from generate_series(1, $2::integer) n`,
    [businessId, maxPending - 5],
  )
  const caller = { actor: systemActor('test'), businessId }
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, () => assessRisk(ctx, caller, { requestId: newId(), firstName: 'Ada' })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ status: 402, credit: { pending: false } })
  const [stored] = await database.db.query(
    'select count(*)::int as count from verifications where business_id = $1',
    [businessId],
  )
  expect(stored).toEqual({ count: maxPending })

  const ask = () => assessRisk(ctx, caller, { requestId: newId(), firstName: 'Ada' })
  const [{ id } = { id: '' }] = await database.db.query<{ id: string }>(
    "select id from verifications where business_id = $1 and request_id not like 'free-%' limit 1",
    [businessId],
  )
  await eraseVerification({ db: database.db, erasures: null, log: ctx.log, uploads: null }, caller, id)
  // Its requestId stays taken: it goes on to count for a day.
  await expect(ask()).rejects.toMatchObject({ status: 402, credit: { pending: false } })
  await database.db.query("update verifications set erased_at = now() - interval '25 hours' where id = $1", [
    id,
  ])
  expect((await ask()).status).toBe('pending_credit')
})
