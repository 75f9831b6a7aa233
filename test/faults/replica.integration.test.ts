import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { checkReplica } from '../../commands/doctor/checkReplica.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { giveBalance } from '../support/madePayout.ts'
import { createOwnDatabase, type OwnDatabase } from '../support/ownDatabase.ts'
import { type ApiAnswer, createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { type Standby, startStandby } from '../support/standby.ts'
import { urlAs } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { startTcpProxy, type TcpProxy } from './tcpProxy.ts'

/*
 * Two apis before a streaming standby: `api` takes it up to half a second behind. `patient` takes it ten
 * minutes behind, so that its replica shows an old state while replay is paused, and what it decides must
 * still be right.
 */

const maxLagMs = 500
let own: OwnDatabase
let standby: Standby
let replay: Db
let proxy: TcpProxy
let stack: Stack

beforeAll(async () => {
  own = await createOwnDatabase('replica')
  stack = await createStack({
    database: own.database(),
    processes: ['treasury'],
    env: { POOL_TARGET: '40', POOL_LOW_WATER: '30' },
  })
  standby = await startStandby(own.server(), own.home)
  replay = openDb(standby.url('cowry'), 1)
  proxy = await startTcpProxy(Number(new URL(standby.url('x')).port))
  const replicaUrl = Object.assign(new URL(urlAs('api', standby.url('cowry'))), {
    port: String(proxy.port),
  }).href
  await stack.start('api', {
    DATABASE_REPLICA_URL: replicaUrl,
    DATABASE_REPLICA_MAX_LAG_MS: String(maxLagMs),
  })
  await stack.start(
    'api',
    { DATABASE_REPLICA_URL: replicaUrl, DATABASE_REPLICA_MAX_LAG_MS: '600000' },
    { as: 'patient' },
  )
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await replay?.close()
  await proxy?.close()
  await standby?.stop()
  await own?.remove()
})

// A test that failed leaves no fault to the next.
afterEach(async () => {
  proxy.open()
  await replay.query('select pg_wal_replay_resume() where pg_is_in_recovery()')
})

type Name = 'api' | 'patient'
const reads = (of: Name, source: string) =>
  metric(stack.processes.get(of), 'cowry_replica_reads_total', `source="${source}"`)

/** Sends a request to one of the two. */
async function ask<T = { error?: string; sessions: SessionBody[] }>(
  of: Name,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiAnswer<T>> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get(of)?.port()}/api/v1${path}`, {
    method,
    headers: {
      'x-api-key': stack.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as T, headers: response.headers }
}

const wanted = { chain: 'ethereum', token: 'USDC', amount: '5' }
const create = (of: Name, headers?: Record<string, string>) =>
  ask<SessionBody>(of, 'POST', '/pos/sessions', wanted, headers)
const listed = async (of: Name) => {
  const { status, body } = await ask(of, 'GET', '/pos/sessions?limit=100')
  expect(status).toBe(200)
  return body.sessions.map(({ id }) => id)
}
/** The finding of `npm run cowry -- doctor` about the setting: the state and the code. */
async function diagnosed(url: string, env: Record<string, string> = {}): Promise<string[]> {
  const settings = { DATABASE_URL: urlAs('api', stack.databaseUrl), DATABASE_REPLICA_URL: url, ...env }
  const findings = await checkReplica({
    env: settings,
    parts: ['api'],
    fileNames: [],
    log: createLog('test', 'silent'),
  })
  return findings.map(({ state, code }) => `${state} ${code}`)
}

/** Waits until an api answers lists from this source. */
const answersFrom = (of: Name, source: string) =>
  waitFor(`lists of ${of} from ${source}`, async () => {
    const before = await reads(of, source)
    await listed(of)
    return (await reads(of, source)) > before
  })
const pauseReplay = async () => void (await replay.query('select pg_wal_replay_pause()'))
const resumeReplay = async () => void (await replay.query('select pg_wal_replay_resume()'))

test('lists come from the replica, and a session of its own from the primary', async () => {
  for (const each of ['api', 'patient'] as const) await answersFrom(each, 'replica')
  await pauseReplay()
  const { body } = await create('api')
  // Of this api the replica is young enough to be read; it does not have the session.
  expect((await ask<SessionBody>('patient', 'GET', `/pos/sessions/${body.id}`)).status).toBe(200)
  expect(await listed('patient')).not.toContain(body.id)
  // The replica alone cannot answer that there is no refund.
  expect(await ask('patient', 'GET', `/pos/sessions/${body.id}/refunds`)).toMatchObject({
    status: 200,
    body: { refunds: [] },
  })
  await resumeReplay()
  await waitFor('the session in the list', async () => (await listed('patient')).includes(body.id))
})

test('a caller sees its own change at once, and its next list comes from the replica when that has it', async () => {
  await answersFrom('api', 'replica')
  for (let i = 0; i < 5; i++) {
    const { body } = await create('api')
    expect(await listed('api')).toContain(body.id)
  }
  await pauseReplay()
  const { body } = await create('patient')
  const before = await reads('patient', 'primary_own_write')
  expect(await listed('patient')).toContain(body.id)
  expect(await reads('patient', 'primary_own_write')).toBe(before + 1)
  await resumeReplay()
  await answersFrom('patient', 'replica')
})

test('a replica that does not replay is not read beyond the bound', async () => {
  await answersFrom('api', 'replica')
  await pauseReplay()
  // By the other api: this one has no change of its own to see.
  const { body } = await create('patient')
  const created = performance.now()
  const seen = await waitFor('the session in the list', async () => {
    const asked = performance.now()
    return (await listed('api')).includes(body.id) && asked
  })
  // The first list that was requested later than the bound has it; a list takes a moment of a busy machine.
  expect(seen - created).toBeLessThan(maxLagMs + 1000)
  await answersFrom('api', 'primary_behind')
  const url = urlAs('api', standby.url('cowry'))
  expect(await diagnosed(url, { DATABASE_REPLICA_MAX_LAG_MS: '100' })).toEqual(['advice replica_behind'])
  expect(await metric(stack.processes.get('api'), 'cowry_replica_lag_seconds')).toBeGreaterThan(
    maxLagMs / 1000,
  )
  await resumeReplay()
  expect(await diagnosed(url, { DATABASE_REPLICA_MAX_LAG_MS: '10000' })).toEqual(['ok ok'])
  await answersFrom('api', 'replica')
  expect(await metric(stack.processes.get('api'), 'cowry_replica_lag_seconds')).toBeLessThan(
    maxLagMs / 1000 + 1,
  )
})

test('what is decided never depends on the replica: payouts, repeated requests, keys', async () => {
  const usdc = { chain: 'ethereum', token: 'USDC' }
  await giveBalance(stack.db, stack.businessId, usdc, 10_000_000n)
  const destination = { id: await makeDestination(stack.db, stack.businessId) }
  await answersFrom('patient', 'replica')
  await standby.caughtUp()
  await pauseReplay()

  const payout = { amount: '10', source: usdc, destination }
  const first = await ask<{ id: string }>('api', 'POST', '/payouts', payout)
  expect(first.status).toBe(201)
  // The replica has neither the payout nor what it holds.
  expect((await ask<{ total: number }>('patient', 'GET', '/payouts')).body.total).toBe(0)
  const held = await replay.query(`select 1 from outflows where id = $1`, [first.body.id])
  expect(held).toEqual([])
  expect(await ask('patient', 'POST', '/payouts', payout)).toMatchObject({
    status: 422,
    body: { error: 'insufficient_funds' },
  })

  const key = { 'idempotency-key': newId() }
  const session = await create('api', key)
  expect(await create('patient', key)).toMatchObject({ status: 201, body: { id: session.body.id } })
  expect(await create('patient', { 'idempotency-key': newId() })).toMatchObject({ status: 201 })

  await stack.db.query('update api_keys set revoked_at = now() where business_id = $1', [stack.businessId])
  expect(
    await replay.query('select 1 from api_keys where business_id = $1 and revoked_at is not null', [
      stack.businessId,
    ]),
  ).toEqual([])
  for (const each of ['api', 'patient'] as const)
    expect((await ask(each, 'GET', '/pos/sessions')).status).toBe(401)
  await stack.db.query('update api_keys set revoked_at = null where business_id = $1', [stack.businessId])
  await resumeReplay()
})

test('until when the books are final is answered by the primary, which knows what is being posted', async () => {
  await answersFrom('patient', 'replica')
  await stack.db.tx(async (tx) => {
    // As the first statement of a posting.
    const [open] = await tx.query<{ at: Date }>('select ledger_posting_time() as at')
    await standby.caughtUp()
    const [from, to] = [new Date(Date.now() - 3_600_000).toISOString(), new Date().toISOString()]
    const { status, body } = await ask<{ finalUntil: string }>(
      'patient',
      'GET',
      `/ledger/statement?from=${from}&to=${to}`,
    )
    expect(status).toBe(200)
    expect(Date.parse(body.finalUntil)).toBeLessThanOrEqual(open?.at.getTime() ?? 0)
  })
})

test.each([
  ['refuses connections', () => proxy.refuse()],
  ['goes silent, as if it had lost its power', () => proxy.silence()],
])('a replica that %s costs no request: the primary answers', async (_how, fault) => {
  await answersFrom('api', 'replica')
  const failed = async () => (await reads('api', 'primary_failed')) + (await reads('api', 'primary_behind'))
  const before = await failed()
  fault()
  const from = performance.now()
  // The first may wait until the replica is found to be behind.
  expect((await listed('api')).length).toBeGreaterThan(0)
  expect(performance.now() - from).toBeLessThan(maxLagMs + 3000)
  await waitFor('an answer of the primary', async () => {
    await listed('api')
    return (await failed()) > before
  })
  // Its age is counted from what was known of it, and not from the start of the api.
  expect(await metric(stack.processes.get('api'), 'cowry_replica_lag_seconds')).toBeLessThan(
    (performance.now() - from) / 1000 + 1.5,
  )
  proxy.open()
  await answersFrom('api', 'replica')
})

test('an export that the replica cannot start comes from the primary', async () => {
  const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/ledger/entries`
  const exported = async () => {
    const response = await fetch(url, { headers: { 'x-api-key': stack.apiKey, accept: 'text/csv' } })
    expect(response.status).toBe(200)
    return (await response.text()).split('\r\n')
  }
  let lines: string[] = []
  // Again where the api knew before the export that the replica had gone.
  await waitFor('an export that began at the replica', async () => {
    proxy.open()
    await answersFrom('api', 'replica')
    const before = await reads('api', 'primary_failed')
    proxy.refuse()
    lines = await exported()
    return (await reads('api', 'primary_failed')) === before + 1
  })
  expect(lines[0]).toMatch(/^entry,time,kind/)
  // The same from the replica: its first piece is there once.
  proxy.open()
  await answersFrom('api', 'replica')
  expect(await exported()).toEqual(lines)
})

test('a standby that was promoted is no replica', async () => {
  await answersFrom('patient', 'replica')
  await standby.cutOff()
  await standby.promote()
  await answersFrom('patient', 'primary_behind')
  expect(await diagnosed(urlAs('api', standby.url('cowry')))).toEqual(['fault replica'])
  expect(await diagnosed('postgresql://cowry_api:x@127.0.0.1:9/cowry')).toEqual(['fault replica'])
  await replay.query('update pos_sessions set label = $1', ['of another history'])
  const { body } = await ask('patient', 'GET', '/pos/sessions')
  expect(body.sessions.map(({ label }) => label)).not.toContain('of another history')
})
