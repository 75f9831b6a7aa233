import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { storeAddition } from '../../src/monitoring/storeAddition.ts'
import { openDirect } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { claimBatch } from '../../src/webhooks/claimBatch.ts'
import { addBusiness, addPerson, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { happen, newEndpoint } from '../support/deliveries.ts'
import { fund, newPayer } from '../support/payers.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  const env = {
    CAP_MONITORED_ADDRESSES: '1500',
    CAP_OPEN_SESSIONS: '3',
    CAP_ENDPOINTS_PER_HOST: '2',
    CAP_IMPORT_BLOCKS_PER_DAY: '25',
    CAP_REPLAYS_PER_DAY: '5',
    CAP_NODE_QUESTIONS_PER_DAY: '3',
    DATABASE_POOL: '2',
    DATABASE_WAIT_MS: '10000',
  }
  stack = await createStack({ processes: ['api', 'indexer'], env })
  await stack.mine(30)
  await stack.caughtUp()
})
afterAll(() => stack?.close())

interface Tenant {
  businessId: string
  ask(method: string, path: string, body?: unknown): Promise<ApiAnswer>
}

/** Creates a business with a key. */
async function newTenant(permissions: string[] | null = null): Promise<Tenant> {
  const businessId = await addBusiness(stack, await addPerson(stack))
  await stack.db.query("update businesses set approval = 'approved' where id = $1", [businessId])
  const key = (
    await createApiKey(stack, { name: 'caps', scope: 'write', environment: 'test', businessId, permissions })
  ).reveal()
  return { businessId, ask: (method, path, body) => stack.api(method, path, body, { 'x-api-key': key }) }
}

async function operatorSets({ businessId }: Tenant, caps: object) {
  const { headers } = await sessionOf(stack, await addPerson(stack, { operator: true }))
  return dashboard(stack, 'PUT', `/operator/businesses/${businessId}/caps`, caps, headers)
}

let made = 0
const newAddress = () => `0x${(0xca9000 + ++made).toString(16).padStart(40, '0')}`
const addresses = (count: number) => Array.from({ length: count }, () => ({ address: newAddress() }))
const bulk = (tenant: Tenant, count: number) =>
  tenant.ask('POST', '/monitoring/addresses/bulk', { chain: 'ethereum', addresses: addresses(count) })
const session = { chain: 'ethereum', token: 'USDC', amount: '1' }
const statusesOf = async (asked: readonly ReturnType<Tenant['ask']>[]) =>
  (await Promise.all(asked)).map(({ status }) => status).sort()
const capped = (name: string, cap: number) => ({
  status: 409,
  body: { error: 'cap_reached', message: expect.stringContaining(`${name}: the business may have ${cap}`) },
})
const usedUp = (name: string) => ({
  status: 429,
  body: { error: 'daily_cap_reached', message: expect.stringContaining(name) },
})

describe('a cap', () => {
  test('on monitored addresses holds for single, bulk and asynchronous additions, and nothing is added beyond it', async () => {
    const tenant = await newTenant()
    expect((await bulk(tenant, 1000)).status).toBe(200)
    expect(await bulk(tenant, 1001)).toMatchObject(capped('monitoredAddresses', 1500))
    expect(await bulk(tenant, 501)).toMatchObject(capped('monitoredAddresses', 1500))
    expect((await bulk(tenant, 498)).status).toBe(200)
    const one = () =>
      tenant.ask('POST', '/monitoring/addresses', { chain: 'ethereum', address: newAddress() })
    expect(await statusesOf([one(), one(), one(), one(), one()])).toEqual([201, 201, 409, 409, 409])
    const [row] = await stack.db.query(
      'select count(*)::int as n from monitored_addresses where business_id = $1',
      [tenant.businessId],
    )
    expect(row).toEqual({ n: 1500 })
  })

  test('on monitored addresses is checked again when the worker stores an addition, which then adds no address', async () => {
    const { db } = stack
    const tenant = await newTenant()
    const addition = (await bulk(tenant, 1001)).body as { id: string }
    expect((await bulk(tenant, 600)).status).toBe(200)
    const [job] = await db.query<{ id: string }>(
      "select id from outbox where queue = 'additions' and payload->>'additionId' = $1",
      [addition.id],
    )
    const worked = { additionId: addition.id, outboxId: job?.id ?? '' }
    expect(await storeAddition({ db, caps: { monitoredAddresses: 1500 }, bulkCallsAtOnce: 2 }, worked)).toBe(
      'failed',
    )
    expect((await tenant.ask('GET', `/monitoring/additions/${addition.id}`)).body).toMatchObject({
      status: 'failed',
      added: null,
      lastError: expect.stringContaining('cap_reached'),
    })
    const [row] = await db.query(
      'select count(*)::int as n from monitored_addresses where business_id = $1',
      [tenant.businessId],
    )
    expect(row).toEqual({ n: 600 })
    expect(await db.query('select 1 from outbox where id = $1', [job?.id])).toEqual([])
    expect(await storeAddition({ db, caps: { monitoredAddresses: 1500 }, bulkCallsAtOnce: 2 }, worked)).toBe(
      'done before',
    )
  })

  test('on open sessions holds for concurrent requests, and a session that ends makes room', async () => {
    const tenant = await newTenant()
    const create = () => tenant.ask('POST', '/pos/sessions', session)
    expect(await statusesOf(Array.from({ length: 8 }, create))).toEqual([
      201, 201, 201, 409, 409, 409, 409, 409,
    ])
    expect(await create()).toMatchObject(capped('openSessions', 3))
    const listed = await tenant.ask('GET', '/pos/sessions')
    const [{ id }] = listed.body.sessions as [{ id: string }]
    expect((await tenant.ask('POST', `/pos/sessions/${id}/cancel`)).status).toBe(200)
    expect((await create()).status).toBe(201)
    expect((await (await newTenant()).ask('POST', '/pos/sessions', session)).status).toBe(201)
  })

  test('on endpoints per host holds for any spelling of the host, for new and changed endpoints', async () => {
    const tenant = await newTenant()
    const add = (url: string) => tenant.ask('POST', '/webhook-endpoints', { url })
    for (const url of ['https://shop.example/a', 'https://SHOP.example.:8443/b'])
      expect((await add(url)).status).toBe(201)
    expect(await add('https://sh%6fp.example/c')).toMatchObject(capped('endpointsPerHost', 2))
    const { body } = (await add('https://other.example/')) as unknown as {
      body: { endpoint: { id: string } }
    }
    const moved = await tenant.ask('PATCH', `/webhook-endpoints/${body.endpoint.id}`, {
      url: 'https://shop.example/d',
    })
    expect(moved).toMatchObject(capped('endpointsPerHost', 2))
  })

  test('on in-flight deliveries per host holds over all endpoints of a business there', async () => {
    const { db } = stack
    const [one, other] = [(await newTenant()).businessId, (await newTenant()).businessId]
    const endpoints: string[] = []
    for (const path of ['a', 'b', 'c'])
      endpoints.push((await newEndpoint(db, one, { url: `http://shop.example/${path}` })).endpoint.id)
    const otherEndpoint = (await newEndpoint(db, other, { url: 'http://shop.example/' })).endpoint.id
    for (const business of [one, other]) await happen(db, business, 10)
    const options = {
      cap: 8,
      troubledCap: 1,
      hostCap: 12,
      deadlineMs: 5000,
      schedule: [0],
      pauseAfterMs: 60_000,
      stepMs: 0,
    }
    const claimed = await Promise.all(
      [...endpoints, otherEndpoint].map(async (id) => (await claimBatch(db, id, [], options)).claimed.length),
    )
    expect(claimed.pop()).toBe(8)
    expect(claimed.reduce((sum, each) => sum + each)).toBe(12)
  })
})

describe('in a day', () => {
  test('imports read no more blocks than the cap; joining a waiting import costs only the blocks it adds', async () => {
    const tenant = await newTenant()
    const height = await stack.height()
    const from = (back: number) =>
      tenant.ask('POST', '/monitoring/addresses', {
        chain: 'ethereum',
        address: newAddress(),
        fromBlock: height - back + 1,
      })
    await stack.stop('indexer')
    expect((await from(10)).status).toBe(201)
    for (let i = 0; i < 5; i++) expect((await from(10)).status).toBe(201)
    expect((await from(20)).status).toBe(201)
    const refused = await from(30)
    expect(refused).toMatchObject(usedUp('importBlocksPerDay'))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await from(25)).status).toBe(201)
    await stack.start('indexer')
  })

  test('no more deliveries are replayed than the cap, singly or in bulk', async () => {
    const tenant = await newTenant()
    const { endpoint } = await newEndpoint(stack.db, tenant.businessId)
    const ids = await happen(stack.db, tenant.businessId, 8)
    await stack.db.query('delete from webhook_queue where endpoint_id = $1', [endpoint.id])
    await stack.db.query("update webhook_deliveries set status = 'failed' where business_id = $1", [
      tenant.businessId,
    ])
    expect((await tenant.ask('POST', `/webhooks/${ids[0]}/replay`)).status).toBe(202)
    const many = () => tenant.ask('POST', '/webhooks/replay', { since: '2026-01-01T00:00:00Z' })
    expect(await many()).toMatchObject({ status: 202, body: { replayed: 4, more: true } })
    expect(await many()).toMatchObject(usedUp('replaysPerDay'))
    expect(await tenant.ask('POST', `/webhooks/${ids[7]}/replay`)).toMatchObject(usedUp('replaysPerDay'))
  })

  test('nodes get no more questions than the cap, counted separately for each permission', async () => {
    const tenant = await newTenant([
      'crypto:read',
      'transactions:explain',
      ...unnamedPermissions('write', null),
      'wallets:send',
    ])
    const [from, to] = [newAddress(), newAddress()]
    const key = `0x${'ab'.repeat(32)}`
    const transfer = { chain: 'ethereum', toAddress: to, amount: '1' }
    const { body: wallet } = await tenant.ask('POST', '/crypto/wallets', {
      chain: 'ethereum',
      privateKey: newPayer('ethereum').privateKey,
    })
    const asks: Record<string, (() => ReturnType<Tenant['ask']>)[]> = {
      'crypto:read': [
        () => tenant.ask('POST', '/crypto/wallets/balance', { chain: 'ethereum', address: from }),
        () => tenant.ask('POST', '/crypto/transfers/estimate', { ...transfer, fromAddress: from }),
      ],
      'transactions:explain': [
        () => tenant.ask('GET', `/chains/ethereum/transactions/0x${'12'.repeat(32)}/explain`),
      ],
      'crypto:transfer, where it is refused': [
        () => tenant.ask('POST', '/crypto/transfers/tokens', { ...transfer, fromPrivateKey: key }),
        () => tenant.ask('POST', '/crypto/transfers/prepare', { ...transfer, fromAddress: from }),
      ],
      'wallets:send, where it is refused': [
        () =>
          tenant.ask('POST', `/crypto/wallets/${(wallet as { id: string }).id}/transfers`, {
            toAddress: to,
            amount: '1',
          }),
      ],
    }
    // A used-up permission does not affect the others.
    for (const these of Object.values(asks)) {
      for (let i = 0; i < 3; i++) expect((await these[i % these.length]?.())?.status).not.toBe(429)
      for (const ask of these) expect(await ask()).toMatchObject(usedUp('nodeQuestionsPerDay'))
    }
    // Requests without node calls still work.
    expect((await tenant.ask('GET', '/auth/me')).status).toBe(200)
  })

  test('questions of a read-only key do not use up those of transfers', async () => {
    const { businessId, ask } = await newTenant()
    const reads = (
      await createApiKey(stack, { name: 'reads', scope: 'read', environment: 'test', businessId })
    ).reveal()
    const payer = newPayer('ethereum')
    await fund(stack, payer, { native: '10' })
    const { privateKey: fromPrivateKey, address } = payer
    const balance = () =>
      stack.api('POST', '/crypto/wallets/balance', { chain: 'ethereum', address }, { 'x-api-key': reads })
    for (let i = 0; i < 3; i++) expect((await balance()).status).toBe(200)
    expect(await balance()).toMatchObject(usedUp('nodeQuestionsPerDay'))
    const sent = await ask('POST', '/crypto/transfers/tokens', {
      chain: 'ethereum',
      fromPrivateKey,
      toAddress: address,
      amount: '0.01',
      token: 'native',
    })
    expect(sent.status).toBe(201)
  })

  test('a sent transfer is answered even while the caps cannot be read, and costs nothing', async () => {
    const tenant = await newTenant()
    const payer = newPayer('ethereum')
    await fund(stack, payer, { native: '10' })
    const { privateKey: fromPrivateKey, address: toAddress } = payer
    const send = () =>
      tenant.ask('POST', '/crypto/transfers/tokens', {
        chain: 'ethereum',
        fromPrivateKey,
        toAddress,
        amount: '0.01',
        token: 'native',
      })
    const [first, second] = [
      await openDirect(stack.databaseUrl, 'a lock'),
      await openDirect(stack.databaseUrl, 'a lock'),
    ]
    try {
      await first.query('begin; lock table intents in exclusive mode')
      const asked = send()
      const waiting =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into intents %'"
      await waitFor('a transfer about to be stored', async () => (await stack.db.query(waiting)).length > 0)
      await second.query('begin; lock table business_caps in access exclusive mode')
      await first.query('rollback')
      expect(await asked).toMatchObject({ status: 201, body: { status: 'pending' } })
    } finally {
      await Promise.all([first.close(), second.close()])
    }
    for (let i = 0; i < 3; i++) expect((await send()).status).toBe(201)
  })
})

describe('counting per day takes no second connection:', () => {
  /**
   * Six times as many requests at once as the pool has connections, and another tenant's request meanwhile.
   */
  async function atOnce(
    ask: (n: number) => ReturnType<Tenant['ask']>,
  ): Promise<{ statuses: number[]; other: number }> {
    const other = await newTenant()
    const asked = statusesOf(Array.from({ length: 12 }, (_, n) => ask(n)))
    const answer = await other.ask('GET', '/pos/sessions')
    return { statuses: await asked, other: answer.status }
  }
  const all = (status: number) => ({ statuses: Array.from({ length: 12 }, () => status), other: 200 })

  test('replays of one tenant', async () => {
    const tenant = await newTenant()
    await operatorSets(tenant, { replaysPerDay: 12 })
    await newEndpoint(stack.db, tenant.businessId)
    const ids = await happen(stack.db, tenant.businessId, 12)
    expect(await atOnce((n) => tenant.ask('POST', `/webhooks/${ids[n]}/replay`))).toEqual(all(202))
    // Requests refused for other reasons cost nothing.
    await operatorSets(tenant, { replaysPerDay: 13 })
    for (let i = 0; i < 2; i++)
      expect((await tenant.ask('POST', `/webhooks/${newId()}/replay`)).status).toBe(404)
    expect((await tenant.ask('POST', `/webhooks/${ids[0]}/replay`)).status).toBe(202)
    expect(await tenant.ask('POST', `/webhooks/${ids[0]}/replay`)).toMatchObject(usedUp('replaysPerDay'))
  })

  test('imports of one tenant, with an exact count', async () => {
    const tenant = await newTenant()
    const height = await stack.height()
    await operatorSets(tenant, { importBlocksPerDay: 1000 })
    const from = (back: number, address = newAddress()) =>
      tenant.ask('POST', '/monitoring/addresses', {
        chain: 'ethereum',
        address,
        fromBlock: height - back + 1,
      })
    await stack.stop('indexer')
    // The others join this one.
    expect((await from(9)).status).toBe(201)
    expect(await atOnce((n) => from(10 + n))).toEqual(all(201))
    await operatorSets(tenant, { importBlocksPerDay: 22 })
    const address = newAddress()
    expect((await from(22, address)).status).toBe(201)
    expect(await from(23)).toMatchObject(usedUp('importBlocksPerDay'))
    // The waiting import has started: the next one counts all its blocks. An address that already has them
    // costs nothing.
    await stack.db.query("update monitoring_imports set status = 'begun' where business_id = $1", [
      tenant.businessId,
    ])
    expect(await from(1)).toMatchObject(usedUp('importBlocksPerDay'))
    expect((await from(22, address)).status).toBe(200)
    await stack.start('indexer')
  })
})

describe('the operator', () => {
  test('raises a cap of one business and reverts it, and both are in the audit log', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const create = (by: Tenant) => by.ask('POST', '/pos/sessions', session)
    for (const by of [tenant, other]) for (let i = 0; i < 3; i++) expect((await create(by)).status).toBe(201)
    expect(await operatorSets(tenant, { openSessions: 4 })).toMatchObject({
      status: 200,
      body: { caps: { openSessions: 4, replaysPerDay: null } },
    })
    expect((await create(tenant)).status).toBe(201)
    expect(await create(tenant)).toMatchObject(capped('openSessions', 4))
    expect(await create(other)).toMatchObject(capped('openSessions', 3))
    expect(await operatorSets(tenant, { openSessions: null })).toMatchObject({
      status: 200,
      body: { caps: { openSessions: null } },
    })
    expect(await create(tenant)).toMatchObject(capped('openSessions', 3))
    const audited = await stack.db.query(
      "select before, after from audit_log where action = 'business.caps_changed' and target = $1 order by id",
      [tenant.businessId],
    )
    expect(audited).toEqual([
      { before: { openSessions: null }, after: { openSessions: 4 } },
      { before: { openSessions: 4 }, after: { openSessions: null } },
    ])
  })

  test('is the only one who may do so, with valid numbers', async () => {
    const tenant = await newTenant()
    expect(await operatorSets(tenant, { openSessions: -1 })).toMatchObject({ status: 400 })
    expect(await operatorSets(tenant, { sessions: 5 })).toMatchObject({ status: 400 })
    expect(await operatorSets({ ...tenant, businessId: newId() }, { openSessions: 5 })).toMatchObject({
      status: 404,
    })
    const { headers } = await sessionOf(stack, await addPerson(stack))
    expect(
      await dashboard(
        stack,
        'PUT',
        `/operator/businesses/${tenant.businessId}/caps`,
        { openSessions: 5 },
        headers,
      ),
    ).toMatchObject({
      status: 403,
    })
    expect(
      await stack.db.query('select 1 from business_caps where business_id = $1', [tenant.businessId]),
    ).toEqual([])
  })
})
