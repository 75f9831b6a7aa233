import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { configuredChains } from '../chains/configuration.ts'
import type { Queryable } from '../platform/database/db.ts'
import { listDeadJobs, replayDeadJob, replayDeadJobs } from './deadJobs.ts'
import { readHealth } from './readHealth.ts'
import { reportChain } from './reportChain.ts'
import { storeQueueReports } from './reportQueues.ts'

const { chains } = configuredChains({
  ETHEREUM_RPC_URLS: 'http://127.0.0.1:1',
  BASE_RPC_URLS: 'http://127.0.0.1:1',
})
const actor = systemActor('test')
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.query(
    'delete from outbox; delete from queue_reports; delete from chain_reports; delete from blocks; delete from chain_cursors',
  )
})

const read = (db: Queryable = database.db) => readHealth({ db, chains, paymentPartner: null })
const alertsOf = async () => (await read()).problems.map(({ alert }) => alert)

async function readTo(chain: string, height: number, secondsAgo: number): Promise<void> {
  await database.db.query(
    'insert into chain_cursors (chain, epoch, height, covered, traced) values ($1, 1, $2::bigint, int8multirange(int8range(1, $2::bigint + 1)), int8multirange(int8range(1, $2::bigint + 1)))',
    [chain, height],
  )
  await database.db.query(
    "insert into blocks (chain, height, id, parent_id, time, canonical) values ($1, $2, 'b', 'a', now() - $3 * interval '1 second', true)",
    [chain, height, secondsAgo],
  )
}
const sound = {
  head: 102,
  isStale: false,
  isUnreadable: false,
  nodes: [{ name: 'node.test', state: 'ok', latencyMs: 12 }],
} as const

async function makeDead(queue: string, payload: object): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    "insert into outbox (queue, payload, tries_left, dead_at, last_error) values ($1, $2, 0, now(), 'it broke') returning id::text",
    [queue, JSON.stringify(payload)],
  )
  return row?.id ?? ''
}

describe('chains', () => {
  test('are ok while they are read and reported; the lag is what lies between cursor and head', async () => {
    await readTo('ethereum', 100, 5)
    await reportChain(database.db, 'ethereum', { ...sound, nodes: [...sound.nodes] })
    const { chains: shown } = await read()
    expect(shown?.find(({ chain }) => chain === 'ethereum')).toMatchObject({
      state: 'ok',
      height: 100,
      head: 102,
      lag: 2,
      gaps: 0,
      paused: null,
      nodes: [{ name: 'node.test', state: 'ok' }],
    })
  })

  test('read beyond the head of the last report have no lag, and a head that is not below their height', async () => {
    await reportChain(database.db, 'ethereum', { ...sound, nodes: [...sound.nodes] })
    await readTo('ethereum', 105, 1)
    const { chains: shown } = await read()
    expect(shown?.find(({ chain }) => chain === 'ethereum')).toMatchObject({ height: 105, head: 105, lag: 0 })
  })

  test.each([
    ['halted', { isStale: true }, 5, 'CowryChainStale'],
    ['unreadable', { isUnreadable: true }, 5, 'CowryChainUnreadable'],
    ['behind', {}, 100_000, 'CowryChainLags'],
  ] as const)('that are %s are a problem with its runbook', async (state, report, secondsAgo, alert) => {
    await readTo('ethereum', 100, secondsAgo)
    await reportChain(database.db, 'ethereum', { ...sound, nodes: [...sound.nodes], ...report })
    const { chains: shown, problems } = await read()
    expect(shown?.find(({ chain }) => chain === 'ethereum')?.state).toBe(state)
    expect(problems.find((problem) => problem.alert === alert)?.runbook).toMatch(/^[a-z-]+\.md/)
  })

  test('that no indexer reports any more are a problem, and so is a node that fails', async () => {
    await readTo('ethereum', 100, 5)
    await reportChain(database.db, 'ethereum', {
      ...sound,
      nodes: [{ name: 'node.test', state: 'resting', latencyMs: null }],
    })
    expect(await alertsOf()).toContain('CowryProviderFails')
    await database.db.query("update chain_reports set reported_at = now() - interval '1 hour'")
    expect(await alertsOf()).toContain('CowryNoLeader')
  })
})

describe('queues', () => {
  const counts = { waiting: 3, active: 1, delayed: 0, failed: 2, oldestAt: new Date('2026-11-30T10:00:00Z') }

  test('are as a worker counted them, with the rows of the outbox', async () => {
    await storeQueueReports(database.db, ['suspense', 'payouts'], [counts, { ...counts, oldestAt: null }])
    await makeDead('suspense', {})
    const { queues } = await read()
    expect(queues).toMatchObject({
      redis: 'ok',
      queues: [
        { queue: 'payouts', jobs: { waiting: 3, active: 1 }, oldestAt: null, unfinished: null, dead: 0 },
        { queue: 'suspense', oldestAt: '2026-11-30T10:00:00.000Z', unfinished: 0, dead: 1 },
      ],
    })
    expect(await alertsOf()).toContain('CowryOutboxDead')
  })

  test('have no numbers where Redis did not answer, or no worker reports', async () => {
    await storeQueueReports(database.db, ['suspense'], null)
    expect((await read()).queues).toMatchObject({ redis: 'no_answer', queues: [{ jobs: null }] })
    expect(await alertsOf()).toContain('CowryRedisAway')
    await storeQueueReports(database.db, ['suspense'], [counts])
    await database.db.query("update queue_reports set reported_at = now() - interval '1 hour'")
    expect((await read()).queues).toMatchObject({ redis: 'unknown', queues: [{ jobs: null }] })
    expect(await alertsOf()).toContain('CowryProcessMissing')
  })
})

test('a part that does not answer is null within its bound, and the others are there', async () => {
  const stuck: Queryable = {
    query: (sql, values) =>
      typeof sql === 'string' && sql.includes('queue_reports')
        ? new Promise(() => {})
        : database.db.query(sql, values),
  } as Queryable
  const started = performance.now()
  const { queues, database: ofDatabase } = await read(stuck)
  expect(queues).toBeNull()
  expect(ofDatabase?.migration).toMatch(/^\d{4}-/)
  expect(performance.now() - started).toBeLessThan(4000)
})

describe('dead jobs', () => {
  test('name why they failed and what they are about', async () => {
    const id = await makeDead('session-payment', { sessionId: '01890000-0000-7000-8000-000000000000' })
    await makeDead('suspense', { detectionId: '01890000-0000-7000-8000-000000000001' })
    expect(
      await listDeadJobs(database, { queue: 'session-payment' }, { page: 1, limit: 20, sort: 'ASC' }),
    ).toMatchObject({
      total: 1,
      jobs: [{ id, queue: 'session-payment', reason: 'it broke', subject: { kind: 'session' } }],
    })
    expect((await listDeadJobs(database, {}, { page: 1, limit: 1, sort: 'ASC' })).totalPages).toBe(2)
  })

  test('are in the order of their numbers, with however many digits', async () => {
    const numbers = ['9', '10', '99', '100'].map((number) => `${number}0000000`)
    await database.db.query(
      `insert into outbox (id, queue, payload, tries_left, dead_at) overriding system value
       select id, 'suspense', '{}', 0, now() from unnest($1::bigint[]) as id`,
      [numbers],
    )
    const page = { page: 1, limit: 3, sort: 'DESC' } as const
    const { jobs, nextCursor } = await listDeadJobs(database, { queue: 'suspense' }, page)
    expect(jobs.map(({ id }) => id)).toEqual(numbers.toReversed().slice(0, 3))
    const next = await listDeadJobs(database, { queue: 'suspense' }, { ...page, cursor: nextCursor ?? '' })
    expect(next.jobs[0]?.id).toBe(numbers[0])
    await database.db.query('delete from outbox where id = any($1::bigint[])', [numbers])
  })

  test('get their tries again, one or all of a queue, with an entry in the audit log', async () => {
    const first = await makeDead('suspense', {})
    await makeDead('suspense', {})
    await makeDead('additions', {})
    expect(await replayDeadJob(database, actor, first)).toBe(1)
    expect(await replayDeadJobs(database, actor, 'suspense')).toBe(1)
    const left = await database.db.query<{ queue: string; tries: number }>(
      'select queue, tries_left as tries from outbox where dead_at is null order by id',
    )
    expect(left).toEqual([
      { queue: 'suspense', tries: 12 },
      { queue: 'suspense', tries: 12 },
    ])
    const entries = await database.db.query<{ action: string; target: string }>(
      "select action, target from audit_log where action like 'job%' order by id",
    )
    expect(entries).toEqual([
      { action: 'job.replayed', target: first },
      { action: 'jobs.replayed', target: 'suspense' },
    ])
  })

  test('that are alive, or are none, are not replayed, and nothing is written', async () => {
    const before = await database.db.query('select 1 from audit_log')
    const id = await makeDead('suspense', {})
    await replayDeadJob(database, actor, id)
    for (const other of [id, '999999999', 'x', '1; drop'])
      await expect(replayDeadJob(database, actor, other)).rejects.toMatchObject({ status: 404 })
    expect(await replayDeadJobs(database, actor, 'suspense')).toBe(0)
    expect((await database.db.query('select 1 from audit_log')).length).toBe(before.length + 1)
  })
})
