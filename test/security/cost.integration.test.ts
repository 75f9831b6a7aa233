import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadContract, operationsOf } from '../../api/contract.ts'
import { refuseForbiddenText } from '../../api/middleware/refuseForbiddenText.ts'
import { runMaintenance } from '../../queues/maintenance.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { maintenanceTasks } from '../../src/capabilities.ts'
import { openAdditionsSql } from '../../src/monitoring/additions.ts'
import { requireEntries } from '../../src/monitoring/request.ts'
import { maxOfCall } from '../../src/monitoring/storeMonitoring.ts'
import { fingerprintOf } from '../../src/platform/database/idempotency.ts'
import { deadRows, enqueue, replayDead } from '../../src/platform/database/outbox.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { startBulkCall } from '../../src/rateLimits/bulkCalls.ts'
import { maintenanceContext } from '../../test/support/maintenanceContext.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { headOf, openRaw } from './rawHttp.ts'

const perBusiness = 1500
const bulk = '/monitoring/addresses/bulk'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['api', 'worker'],
    env: { RATE_LIMIT_BUSINESS: String(perBusiness) },
  })
})
afterAll(() => stack?.close())

interface Tenant {
  businessId: string
  key: string
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): ReturnType<typeof stack.api<T>>
}

/** Creates a business with a key. */
async function newTenant(): Promise<Tenant> {
  const businessId = await addBusiness(stack, await addPerson(stack))
  await stack.db.query("update businesses set approval = 'approved' where id = $1", [businessId])
  const key = (
    await createApiKey(stack, { name: 'cost', scope: 'write', environment: 'test', businessId })
  ).reveal()
  return {
    businessId,
    key,
    ask: (method, path, body, headers = {}) =>
      stack.api(method, path, body, { 'x-api-key': key, ...headers }),
  }
}

let made = 0
const addresses = (count: number, more: object = {}) =>
  Array.from({ length: count }, () => ({ address: `0x${(++made).toString(16).padStart(40, '0')}`, ...more }))
const body = (count: number, more: object = {}) => ({ chain: 'ethereum', addresses: addresses(count, more) })
const remaining = (headers: Headers) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1])
const monitoredBy = async ({ businessId }: Tenant) =>
  (
    await stack.db.query('select id from monitored_addresses where business_id = $1 and removed_at is null', [
      businessId,
    ])
  ).length

interface Addition {
  id: string
  status: string
  total: number
  progress: number
  added: number | null
  existing: number | null
  lastError: string | null
}
const completed = (tenant: Tenant, id: string) =>
  waitFor('the addition', async () => {
    const answer = await tenant.ask<Addition>('GET', `/monitoring/additions/${id}`)
    return ['completed', 'failed'].includes(answer.body.status) ? answer.body : null
  })

describe('the cost of a request', () => {
  test('counts against the limit of its business, by rows and bytes, and not against others', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const before = remaining((await tenant.ask('GET', '/auth/me')).headers)
    const sent = body(1000)
    const { status, headers } = await tenant.ask('POST', bulk, sent)
    expect(status).toBe(200)
    expect(before - remaining(headers)).toBe(1 + 1000 / 20 + Math.floor(JSON.stringify(sent).length / 10_000))
    expect(remaining((await other.ask('GET', '/auth/me')).headers)).toBe(perBusiness - 1)
  })

  test('leads to a refusal at the limit, which changes nothing', async () => {
    const tenant = await newTenant()
    const statuses: number[] = []
    for (let i = 0; i < 7; i++)
      statuses.push(
        (await tenant.ask('POST', bulk, body(500, { metadata: { note: 'x'.repeat(5000) } }))).status,
      )
    // 2.5 MB each: refused for metadata, and finally for cost.
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
    expect(statuses.at(-1)).toBe(429)
    const refused = await tenant.ask('GET', '/auth/me')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await monitoredBy(tenant)).toBe(0)
  })

  test('delays another tenant by slices, never by most of the request', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    // Warm up, as a first request prepares some state.
    await tenant.ask('POST', bulk, body(1))
    await other.ask('GET', '/auth/me')
    // The whole body is validated and finally refused, so there is no wait for the database that would let
    // others run anyway.
    const sent = body(9999, { metadata: { note: 'a word or two, and some more of them. '.repeat(4) } })
    const bytes = JSON.stringify({ ...sent, addresses: [...sent.addresses, { address: 'nothing' }] })
    const head = {
      'x-api-key': tenant.key,
      'idempotency-key': 'long',
      'content-type': 'application/json',
      'content-length': bytes.length,
    }
    const raw = openRaw(
      stack.processes.get('api')?.port() ?? 0,
      '127.0.0.1',
      headOf('POST', `/api/v1${bulk}`, head),
    )
    await new Promise((sent) => raw.socket.write(bytes.slice(0, -1), sent))
    let over = false
    let answeredAt: number[] = []
    const others = Array.from({ length: 4 }, async () => {
      while (!over) {
        expect((await other.ask('GET', '/auth/me')).status).toBe(200)
        if (!over) answeredAt.push(performance.now())
      }
    })
    await waitFor('other requests meanwhile', async () => answeredAt.length > 20)
    // With the last byte the work starts.
    answeredAt = [performance.now()]
    raw.socket.write(bytes.slice(-1))
    const refused = await raw.answer()
    over = true
    answeredAt.push(performance.now())
    await Promise.all(others)
    raw.socket.destroy()
    expect([refused?.status, JSON.parse(refused?.body ?? '').fields]).toEqual([
      400,
      [expect.objectContaining({ field: 'addresses.9999.address' })],
    ])
    const gaps = answeredAt.slice(1).map((at, i) => at - (answeredAt[i] ?? 0))
    const whole = (answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0)
    expect(Math.max(...gaps)).toBeLessThan(whole / 2)
  })
})

describe('long work yields to other requests', () => {
  /** Number of event loop turns for others during the work. */
  async function loopTurnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0
    let done = false
    const counting = (async () => {
      while (!done) {
        await nextTurn()
        turns++
      }
    })()
    await work().finally(() => {
      done = true
    })
    await counting
    return turns
  }
  const many = addresses(10_000, {
    metadata: { note: 'a word or two, and some more of them', order: 'n-17' },
  })
  const request = { operation: 'POST /many', body: { chain: 'ethereum', addresses: many } }

  test.each([
    ['its addresses are normalised', () => requireEntries({ name: 'ethereum', family: 'evm' }, many, false)],
    ['its texts are validated', () => refuseForbiddenText(request.body)],
    ['its fingerprint is computed for its idempotency key', () => fingerprintOf(new Secret(appKey), request)],
  ])('while %s', async (_what, work) => {
    // Without yields there are two: before and after.
    expect(await loopTurnsDuring(work)).toBeGreaterThan(2)
  })
})

describe('bulk calls', () => {
  const underWay =
    "insert into bulk_calls (business_id, slot, lease, lease_until) values ($1, $2, $3, now() + interval '1 minute')"
  /** Additions that no worker has started. */
  async function queue({ businessId }: Tenant, count: number): Promise<void> {
    for (let i = 0; i < count; i++)
      await stack.db.query(
        "insert into monitoring_additions (id, business_id, chain, tokens, total) values ($1, $2, 'ethereum', 'known', 5000)",
        [newId(), businessId],
      )
  }

  test("are limited to two at a time per business; other businesses are not affected, and a crashed call's place expires", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    for (const slot of [1, 2]) await stack.db.query(underWay, [tenant.businessId, slot, newId()])
    for (const [path, sent] of [
      [bulk, body(1)],
      ['/webhooks/replay', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      const refused = await tenant.ask('POST', path, sent)
      expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
        429,
        'too_many_bulk_calls',
        '2',
      ])
    }
    expect(await monitoredBy(tenant)).toBe(0)
    expect((await other.ask('POST', bulk, body(1))).status).toBe(200)
    await stack.db.query(
      "update bulk_calls set lease_until = now() - interval '1 second' where business_id = $1 and slot = 1",
      [tenant.businessId],
    )
    expect((await tenant.ask('POST', bulk, body(1))).status).toBe(200)
    expect(
      await stack.db.query('select slot from bulk_calls where business_id = $1', [tenant.businessId]),
    ).toEqual([{ slot: 2 }])
  })

  test('release their place when they are answered: sequential calls are never refused', async () => {
    const tenant = await newTenant()
    await stack.db.query(
      "insert into bulk_calls (business_id, slot, lease, lease_until) values ($1, 1, $2, now() + interval '1 minute')",
      [tenant.businessId, newId()],
    )
    await stack.db.query(
      `create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$`,
    )
    await stack.db.query(
      'create trigger slowly before delete on bulk_calls for each statement execute function slowly()',
    )
    try {
      // The last but one is invalid, and releases its place as well.
      for (const sent of [body(1), body(1), { ...body(1), tokens: 'nonsense' }, body(1)])
        expect((await tenant.ask('POST', bulk, sent)).status).toBe('tokens' in sent ? 400 : 200)
    } finally {
      await stack.db.query('drop function slowly cascade')
    }
  })

  test.each([1, 2])('waiting to be stored count together with a running one in place %i', async (slot) => {
    const tenant = await newTenant()
    await queue(tenant, 1)
    await stack.db.query(underWay, [tenant.businessId, slot, newId()])
    expect(await tenant.ask('POST', bulk, body(1))).toMatchObject({
      status: 429,
      body: { error: 'too_many_bulk_calls' },
    })
    await stack.db.query('delete from bulk_calls where business_id = $1', [tenant.businessId])
    expect((await tenant.ask('POST', bulk, body(1))).status).toBe(200)
  })

  test('started concurrently get no more than the free places', async () => {
    const tenant = await newTenant()
    await queue(tenant, 1)
    const begin = () => startBulkCall(stack, tenant.businessId, { atOnce: 4, queuedSql: openAdditionsSql })
    const begun = await Promise.allSettled(Array.from({ length: 12 }, begin))
    const calls = begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(calls).toHaveLength(3)
    for (const each of begun)
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ status: 429, error: 'too_many_bulk_calls' })
    await calls[0]?.end()
    const next = await begin()
    await expect(begin()).rejects.toMatchObject({ status: 429 })
    await Promise.all([next, ...calls].map((call) => call.end()))
  })

  test('waiting to be stored count as running', async () => {
    const tenant = await newTenant()
    await queue(tenant, 2)
    expect(await tenant.ask('POST', bulk, body(1))).toMatchObject({
      status: 429,
      body: { error: 'too_many_bulk_calls' },
    })
    // Single additions are still accepted.
    expect(
      (await tenant.ask('POST', '/monitoring/addresses', { chain: 'ethereum', ...addresses(1)[0] })).status,
    ).toBe(201)
  })

  test('of more than 1,000 addresses become an addition, which monitors all of them when completed', async () => {
    const tenant = await newTenant()
    const one = body(1)
    await tenant.ask('POST', bulk, one)
    const sent = { chain: 'ethereum', addresses: [...addresses(1000), ...one.addresses] }
    const asked = await tenant.ask<Addition>('POST', bulk, sent, { 'idempotency-key': 'addition' })
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({
      status: 'pending',
      total: 1001,
      progress: 0,
      added: null,
      existing: null,
    })
    expect(await completed(tenant, asked.body.id)).toMatchObject({
      status: 'completed',
      added: 1000,
      existing: 1,
      progress: 1,
      lastError: null,
    })
    expect(await monitoredBy(tenant)).toBe(1001)
    type Page = {
      addresses: { id: string; address: string; created: boolean }[]
      total: number
      totalPages: number
    }
    const last = (
      await tenant.ask<Page>('GET', `/monitoring/additions/${asked.body.id}/addresses?page=11&limit=100`)
    ).body
    expect(last).toMatchObject({ total: 1001, totalPages: 11, addresses: [{ created: false }] })
    const [entry] = last.addresses
    expect((await tenant.ask('GET', `/monitoring/addresses/${entry?.id}`)).body).toMatchObject({
      address: entry?.address,
    })
    const again = await tenant.ask<Addition>('POST', bulk, sent, { 'idempotency-key': 'addition' })
    expect([again.status, again.body.id]).toEqual([202, asked.body.id])
    const other = await newTenant()
    for (const path of ['', '/addresses'])
      expect((await other.ask('GET', `/monitoring/additions/${asked.body.id}${path}`)).status).toBe(404)
  })

  test('that were given up have failed: they keep no place, and replaying their jobs does not change that', async () => {
    const { db } = stack
    const tenant = await newTenant()
    // No worker can store an unknown chain.
    const ids = [newId(), newId()]
    await db.tx(async (tx) => {
      const add =
        "insert into monitoring_additions (id, business_id, chain, tokens, total) values ($1, $2, 'nochain', 'known', 5000)"
      for (const id of ids) await tx.query(add, [id, tenant.businessId])
      await enqueue(
        tx,
        'additions',
        ids.map((additionId) => ({ additionId })),
      )
      await tx.query(
        "update outbox set tries_left = 1 where queue = 'additions' and payload->>'additionId' = any($1)",
        [ids],
      )
    })
    expect(await tenant.ask('POST', bulk, body(1))).toMatchObject({
      status: 429,
      body: { error: 'too_many_bulk_calls' },
    })
    await waitFor('their last tries to fail', async () => {
      const rows = await db.query<{ left: number }>(
        "select tries_left as left from outbox where queue = 'additions'",
      )
      return rows.length === ids.length && rows.every(({ left }) => left === 0)
    })
    // The relay waits longest after the last try.
    await db.query("update outbox set relay_after = now() where queue = 'additions'")
    for (const id of ids)
      expect(await completed(tenant, id)).toMatchObject({
        status: 'failed',
        added: null,
        lastError: expect.stringContaining('Send the request again'),
      })
    expect((await tenant.ask('POST', bulk, body(1))).status).toBe(200)
    expect((await deadRows(db)).map(({ queue }) => queue)).toEqual(['additions', 'additions'])
    expect(await replayDead(db)).toEqual(new Map([['additions', 2]]))
    await waitFor(
      'finished jobs',
      async () => (await db.query("select 1 from outbox where queue = 'additions'")).length === 0,
    )
    expect((await tenant.ask<Addition>('GET', `/monitoring/additions/${ids[0]}`)).body.status).toBe('failed')
  })

  test('have no more addresses than the caps assume', () => {
    const field = [
      'requestBody',
      'content',
      'application/json',
      'schema',
      'properties',
      'addresses',
      'maxItems',
    ]
    expect(loadContract().paths[bulk]?.post).toHaveProperty(field, maxOfCall)
  })

  test('with one invalid address add no address, and name the invalid one', async () => {
    const tenant = await newTenant()
    const sent = body(2000)
    const refused = await tenant.ask('POST', bulk, {
      ...sent,
      addresses: [...sent.addresses, { address: 'nothing' }],
    })
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      [{ field: 'addresses.2000.address', code: 'invalid_address', message: expect.any(String) }],
    ])
    expect(await monitoredBy(tenant)).toBe(0)
  })
})

describe('stored answers', () => {
  const key = { 'idempotency-key': 'kept' }

  test('of a bulk call are ids, so a repeated request gets the same answer even after its addresses changed', async () => {
    const tenant = await newTenant()
    const sent = body(300)
    const [before, removed] = sent.addresses
    expect((await tenant.ask('POST', '/monitoring/addresses', { chain: 'ethereum', ...before })).status).toBe(
      201,
    )
    const first = await tenant.ask('POST', bulk, sent, key)
    expect(first.body).toMatchObject({ added: 299, existing: 1 })
    expect(
      (await tenant.ask('POST', '/monitoring/addresses/remove', { chain: 'ethereum', ...removed })).status,
    ).toBe(200)
    const again = await tenant.ask('POST', bulk, sent, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
    const [stored] = await stack.db.query<{ kind: string; text: string }>(
      'select answer_kind as kind, response_body::text as text from idempotency_keys where business_id = $1',
      [tenant.businessId],
    )
    expect(stored?.kind).toBe('monitored_addresses')
    expect(stored?.text).not.toContain(sent.addresses[0]?.address.slice(-6))
  })

  test('expire unless money moved', async () => {
    const tenant = await newTenant()
    await tenant.ask('POST', '/monitoring/addresses', { chain: 'ethereum', ...addresses(1)[0] }, key)
    expect(
      (
        await tenant.ask(
          'POST',
          '/pos/sessions',
          { chain: 'ethereum', token: 'USDC', amount: '5' },
          { 'idempotency-key': 'paid' },
        )
      ).status,
    ).toBe(201)
    const days = () =>
      stack.db.query<{ days: number | null }>(
        `select round(extract(epoch from expires_at - now()) / 86400)::int as days from idempotency_keys
         where business_id = $1 and response_status is not null order by 1`,
        [tenant.businessId],
      )
    const kept = [{ days: 30 }, { days: null }]
    expect(await days()).toEqual(kept)
    await stack.db.query(
      `insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until, response_status, response_body, expires_at)
       select $1, 'over ' || n, '\\x00', gen_random_uuid(), now(), 200, '{}', now() - interval '1 second' from generate_series(1, 2500) n`,
      [tenant.businessId],
    )
    const stop = new AbortController()
    const maintenance = runMaintenance(maintenanceContext(stack.db, stop.signal), maintenanceTasks)
    try {
      await waitFor('the removal of expired answers', async () => (await days()).length === kept.length)
    } finally {
      stop.abort()
      await maintenance
    }
    expect(await days()).toEqual(kept)
  })

  test('are kept permanently for each operation that moves or requests money', () => {
    const kept = operationsOf(loadContract()).filter(({ operation }) => operation['x-money'])
    expect(kept.map(({ operation }) => operation.operationId).sort()).toEqual([
      ...[
        'createBridgeTransfer',
        'createCollection',
        'createPaymentLink',
        'createPayout',
        'createPayoutBatch',
        'createRefund',
        'createSession',
        'createStake',
        'createTransfer',
        'executeSwap',
        'markPayoutPaid',
        'sendFromWallet',
        'submitTransfer',
        'unstake',
        'withdrawStake',
      ],
    ])
  })
})
