import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { openDirect } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

const pool = 4
/**
 * Long enough that a busy machine has all its statements at a lock, and checks them, before the first is
 * cancelled.
 */
const [statementMs, waitMs] = [4000, 1500]

let stack: Stack
beforeAll(async () => {
  stack = await createStack({
    processes: ['api'],
    env: {
      DATABASE_POOL: String(pool),
      DATABASE_STATEMENT_MS: String(statementMs),
      DATABASE_WAIT_MS: String(waitMs),
    },
  })
})
afterAll(() => stack?.close())

/** Runs `work` while the sessions table is locked exclusively. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const locker = await openDirect(stack.databaseUrl, 'a lock')
  await locker.query('begin')
  await locker.query('lock table pos_sessions in access exclusive mode')
  try {
    return await work()
  } finally {
    await locker.query('rollback')
    await locker.close()
  }
}

const waiting = async () =>
  Number(
    (
      await stack.db.query<{ n: string }>(
        `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
      )
    )[0]?.n,
  )

const ask = async (path: string) => {
  const began = performance.now()
  const { status, body, headers } = await stack.api('GET', path)
  return { status, error: body.error, retryAfter: headers.get('retry-after'), ms: performance.now() - began }
}
const blockedRequest = () => ask('/pos/sessions')
const otherRequest = () => ask('/auth/me')
const unavailable = { status: 503, error: 'unavailable', retryAfter: '5' }

describe('a slow database', () => {
  test('cancels long statements: 503 with Retry-After, and no statement keeps running', async () => {
    await whileLocked(async () => {
      const answers = await Promise.all([blockedRequest(), blockedRequest()])
      for (const answer of answers) {
        expect(answer).toMatchObject(unavailable)
        expect(answer.ms).toBeGreaterThan(statementMs - 100)
        expect(answer.ms).toBeLessThan(2 * statementMs)
      }
      expect(await waiting()).toBe(0)
    })
  })

  test('does not delay requests for other tables', async () => {
    await whileLocked(async () => {
      const stuck = [blockedRequest(), blockedRequest()]
      await waitFor('waiting statements', async () => (await waiting()) === 2)
      expect((await otherRequest()).status).toBe(200)
      await Promise.all(stuck)
    })
  })

  test('sheds requests without a free connection quickly instead of queueing them, and serves at once after recovery', async () => {
    const answers = await whileLocked(async () => {
      const stuck = Array.from({ length: 40 }, blockedRequest)
      await waitFor('an exhausted pool', async () => (await waiting()) === pool)
      const meanwhile = await otherRequest()
      expect(meanwhile).toMatchObject(unavailable)
      // Before any of the statements has ended.
      expect(meanwhile.ms).toBeLessThan(statementMs)
      expect(await waiting()).toBe(pool)
      return Promise.all(stuck)
    })
    for (const answer of answers) {
      expect(answer).toMatchObject(unavailable)
      expect(answer.ms).toBeLessThan(2 * (waitMs + statementMs))
    }
    const after = await Promise.all(Array.from({ length: 2 * pool }, blockedRequest))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200))
    expect(await waiting()).toBe(0)
  })

  test('ends the transaction of a frozen process: its locks are released, and its work is rolled back', async () => {
    const businessId = await addBusiness(stack, await addPerson(stack))
    const key = (
      await createApiKey(stack, { name: 'till', scope: 'write', environment: 'test', businessId })
    ).reveal()
    const api = stack.processes.get('api')
    const create = () =>
      stack.api(
        'POST',
        '/monitoring/addresses',
        { chain: 'ethereum', address: `0x${'ab'.repeat(20)}` },
        { 'x-api-key': key, 'idempotency-key': newId() },
      )
    const locker = await openDirect(stack.databaseUrl, 'a lock')
    // The request waits here with its business locked, and is frozen before it can proceed: its key's answer
    // is stored before the commit is sent.
    await locker.query('begin; lock table audit_log in share row exclusive mode')
    const frozen = create()
    await waitFor('a waiting request', async () => (await waiting()) === 1)
    api?.kill('SIGSTOP')
    try {
      await locker.query('rollback')
      const held = await setApproval(stack, systemActor('a test'), businessId, 'suspended', 'papers')
      expect(held.approval).toBe('suspended')
    } finally {
      api?.kill('SIGCONT')
      await locker.close()
    }
    const answer = await frozen
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 503, error: 'unavailable' })
    expect(await stack.db.query('select 1 from watches where business_id = $1', [businessId])).toEqual([])
    expect((await create()).status).toBe(403)
    expect((await otherRequest()).status).toBe(200)
  })

  test('serves at the moment of recovery', async () => {
    let stuck: ReturnType<typeof blockedRequest>[] = []
    await whileLocked(async () => {
      stuck = Array.from({ length: pool }, blockedRequest)
      await waitFor('waiting statements', async () => (await waiting()) === pool)
    })
    const answers = await Promise.all(stuck)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})
