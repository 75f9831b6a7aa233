import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type LocalPostgres, startPostgres } from '../../../scripts/local/postgres.ts'
import { type Standby, startStandby } from '../../../test/support/standby.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { ApiError, notFound } from '../errors.ts'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { pause } from '../wait.ts'
import { type Db, openDb } from './db.ts'
import { createReplicaMetrics, openReplica, type Replica } from './replica.ts'
import { lagOfReplica, NotAReplicaError } from './replicaPosition.ts'

/* A primary that is idle: nothing but these tests writes to its log. */
const metrics = createMetrics('test')
const stopping = new AbortController()
let home: string
let server: LocalPostgres
let standbys: Standby[] = []
let primary: Db
let standby: Db
let replica: Replica

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cowry-replica-position-'))
  server = await startPostgres({ home, durable: false, settings: ['wal_keep_size=512MB'] })
  standbys = [await startStandby(server, home)]
  for (const each of standbys) await each.caughtUp()
  const url = standbys[0]?.url('postgres') ?? ''
  primary = openDb(server.url('postgres'), 2)
  standby = openDb(url, 1)
  replica = openReplica(
    { log: createLog('test', 'silent'), metrics: createReplicaMetrics(metrics), stopping: stopping.signal },
    {
      url,
      primaryUrl: server.url('postgres'),
      max: 1,
      times: { statementMs: 300, waitMs: 300 },
      maxLagMs: 1000,
    },
  )
}, 60_000)
afterAll(async () => {
  stopping.abort()
  await replica?.close()
  await Promise.all([primary?.close(), standby?.close()])
  await Promise.all([server, ...standbys].map((each) => each?.stop()))
  rmSync(home, { recursive: true, force: true })
})

const readBy = async (source: string) =>
  Number(
    new RegExp(`^cowry_replica_reads_total\\{.*source="${source}".*\\} (\\S+)$`, 'm').exec(
      await metrics.exposition(),
    )?.[1],
  )
const read = (work: (db: Db) => Promise<unknown>) =>
  replica.read([], {
    replica: async () => ['replica', await work(replica.db)],
    primary: async () => ['primary', null],
  })
const one = (db: Db) => db.query('select 1')

beforeEach(() => waitFor('a fresh replica', async () => ((await read(one)) as string[])[0] === 'replica'))

test('an idle primary whose log has gone on to its next file does not make the replica late', async () => {
  for (const _ of [1, 2]) {
    // Nothing is written after it.
    await primary.query('select pg_logical_emit_message(false, $1, $2)', ['test', 'x'])
    await primary.query('select pg_switch_wal()')
    expect(await lagOfReplica(primary, standby, 5000)).toBeLessThan(5000)
  }
  await pause(1500)
  expect(await read(one)).toEqual(['replica', [{ '?column?': 1 }]])
})

test.each([
  ['that it does not find is read at the primary', notFound('Session'), 'primary'],
  ['that it refuses is refused', new ApiError(400, 'Invalid request parameters'), null],
  ['that would be too many is refused, and counted once', new ApiError(429, 'rate_limited'), null],
])('a read of the replica, and %s', async (_what, refusal, answeredBy) => {
  const asked = read(() => Promise.reject(refusal))
  if (answeredBy === null) await expect(asked).rejects.toBe(refusal)
  else expect(await asked).toEqual([answeredBy, null])
})

test('a read that the replica cancels is not made again at the primary, and the replica stays in use', async () => {
  const before = await readBy('replica')
  await expect(read((db) => db.query('select pg_sleep(10)'))).rejects.toMatchObject({ code: '57014' })
  expect(await read(one)).toEqual(['replica', expect.anything()])
  expect(await readBy('replica')).toBe(before + 2)
})

test('a read for which its pool has no connection is made at the primary, and the replica stays in use', async () => {
  const before = await readBy('primary_failed')
  const inUse = replica.db.tx(async (tx) => {
    for (let i = 0; i < 5; i++) await tx.query('select pg_sleep(0.2)')
  })
  // The second reads the replica again: it was not given up.
  for (const _ of [1, 2]) expect(await read(one)).toEqual(['primary', null])
  expect(await readBy('primary_failed')).toBe(before + 2)
  await inUse
  expect(await read(one)).toEqual(['replica', expect.anything()])
})

test('a standby that is ahead of a primary of the same system is not its replica', async () => {
  // As after a restore: another server goes on from an earlier state.
  const other = await startStandby(server, home, 'restored')
  standbys.push(other)
  await other.caughtUp()
  await other.cutOff()
  await other.promote()
  const restored = openDb(other.url('postgres'), 1)
  try {
    await waitFor(
      'the promotion',
      async () =>
        (await restored.query<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]?.is === false,
    )
    for (const _ of [1, 2]) {
      await primary.query('select pg_logical_emit_message(false, $1, $2)', ['test', 'x'])
      await primary.query('select pg_switch_wal()')
    }
    await standbys[0]?.caughtUp()
    const lag = lagOfReplica(restored, standby, 5000)
    await expect(lag).rejects.toBeInstanceOf(NotAReplicaError)
    await expect(lag).rejects.toThrow('a log that the primary does not have')
    expect(await lagOfReplica(primary, standby, 5000)).not.toBeNull()
  } finally {
    await restored.close()
  }
})
