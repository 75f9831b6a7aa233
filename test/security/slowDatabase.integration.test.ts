import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { setApproval } from '../../src/accounts/operateBusinesses.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { openDirect } from '../../src/platform/db.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

const pool = 4
const [statementMs, waitMs] = [1500, 500]

let stack: Stack
beforeAll(async () => {
  stack = await createStack({
    processes: ['api'],
    env: { DATABASE_POOL: String(pool), DATABASE_STATEMENT_MS: String(statementMs), DATABASE_WAIT_MS: String(waitMs) },
  })
})
afterAll(() => stack?.close())

/** Nobody else reads or writes sessions of payment while `work` runs. */
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
const slow = () => ask('/pos/sessions')
const quick = () => ask('/auth/me')
const unavailable = { status: 503, error: 'unavailable', retryAfter: '5' }

describe('a database that is slow', () => {
  test('cancels what takes too long: 503 that says when to come back, and nothing runs on', async () => {
    await whileLocked(async () => {
      const answers = await Promise.all([slow(), slow()])
      for (const answer of answers) {
        expect(answer).toMatchObject(unavailable)
        expect(answer.ms).toBeGreaterThan(statementMs - 100)
        expect(answer.ms).toBeLessThan(statementMs + 1500)
      }
      expect(await waiting()).toBe(0)
    })
  })

  test('does not keep requests from being answered that need another part of it', async () => {
    await whileLocked(async () => {
      const stuck = [slow(), slow()]
      await waitFor('statements that wait', async () => (await waiting()) === 2)
      expect((await quick()).status).toBe(200)
      await Promise.all(stuck)
    })
  })

  test('sheds what finds no connection soon, instead of a queue; and serves at once when it is well again', async () => {
    const answers = await whileLocked(async () => {
      const stuck = Array.from({ length: 40 }, slow)
      await waitFor('a pool that is used up', async () => (await waiting()) === pool)
      const meanwhile = await quick()
      expect(meanwhile).toMatchObject(unavailable)
      expect(meanwhile.ms).toBeLessThan(waitMs + 1000)
      return Promise.all(stuck)
    })
    for (const answer of answers) {
      expect(answer).toMatchObject(unavailable)
      expect(answer.ms).toBeLessThan(waitMs + statementMs + 2000)
    }
    const after = await Promise.all(Array.from({ length: 2 * pool }, slow))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200))
    expect(await waiting()).toBe(0)
  })

  test('ends what a frozen process has begun: its locks keep nobody waiting, and what it was doing is not done', async () => {
    const businessId = await addBusiness(stack, await addPerson(stack))
    const key = (await createApiKey(stack, { name: 'till', scope: 'write', environment: 'test', businessId })).reveal()
    const api = stack.processes.get('api')
    const create = () => stack.api('POST', '/monitoring/addresses', { chain: 'ethereum', address: `0x${'ab'.repeat(20)}` }, { 'x-api-key': key })
    const locker = await openDirect(stack.databaseUrl, 'a lock')
    // It waits here when its business is locked already, and is frozen before it can go on.
    await locker.query('begin; lock table audit_log in share row exclusive mode')
    const frozen = create()
    await waitFor('a request that waits', async () => (await waiting()) === 1)
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
    expect((await quick()).status).toBe(200)
  })

  test('serves in the moment in which it is well again', async () => {
    let stuck: ReturnType<typeof slow>[] = []
    await whileLocked(async () => {
      stuck = Array.from({ length: pool }, slow)
      await waitFor('statements that wait', async () => (await waiting()) === pool)
    })
    const answers = await Promise.all(stuck)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})
