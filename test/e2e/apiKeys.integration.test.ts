import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, invited, signedIn } from '../support/browser.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack
let owner: Browser
let keys: string

interface Key {
  id: string
  name: string
  prefix: string
  scope: string
  state: string
  lastUsedAt: string | null
  lastUsedAddress: string | null
  replacedBy: string | null
  expiresAt: string | null
  createdBy: string | null
}
interface NewKey {
  key: Key
  secret: string
}
interface Refusal {
  error: string
  fields?: { field: string }[]
}

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'], env: { TRUSTED_PROXIES: '127.0.0.1' } })
  owner = await signedIn(stack)
  keys = `/businesses/${stack.businessId}/keys`
}, 60_000)
afterAll(() => stack?.close())

const create = async (wanted: object = {}) => (await owner.ask<NewKey>('POST', keys, { name: 'till', scope: 'write', ...wanted })).body
const keyOf = async (id: string) => (await owner.ask<Key>('GET', `${keys}/${id}`)).body
const refusalOf = ({ status, body }: { status: number; body: Refusal }) => [status, body.error, ...(body.fields ?? []).map(({ field }) => field)]
const use = async (secret: string, from = '203.0.113.9') =>
  refusalOf(await stack.api<Refusal>('GET', '/pos/sessions/networks/all', undefined, { 'x-api-key': secret, 'x-forwarded-for': from })).slice(0, 2)
const inForce = [200, undefined]
const ended = [401, 'Invalid API key']

test('a key works from the moment it is made until the moment it is revoked, and is never shown again', async () => {
  const { key, secret } = await create()
  expect(secret.startsWith(key.prefix)).toBe(true)
  expect(key).toMatchObject({ state: 'active', createdBy: 'demo@cowry.test', lastUsedAt: null, lastUsedAddress: null })
  expect(await use(secret)).toEqual(inForce)
  expect((await owner.ask<Key>('POST', `${keys}/${key.id}/revoke`)).body.state).toBe('revoked')
  expect(await use(secret)).toEqual(ended)
  expect(JSON.stringify((await owner.ask('GET', `${keys}?limit=100`)).body)).not.toContain(secret.slice(12, 30))
})

test('its last use is told within seconds, with the address it came from', async () => {
  const { key, secret } = await create()
  const before = Date.now()
  await use(secret, '198.51.100.7')
  const told = await waitFor('last use', async () => ((await keyOf(key.id)).lastUsedAt === null ? null : keyOf(key.id)), 6000)
  expect(told.lastUsedAddress).toBe('198.51.100.7')
  expect(Math.abs(Date.parse(told.lastUsedAt ?? '') - before)).toBeLessThan(6000)
  await use(secret, '2001:DB8::7')
  await waitFor('the next use', async () => (await keyOf(key.id)).lastUsedAddress === '2001:db8::7', 6000)
})

test('a change holds from the next request on; a refused address does not count as a use', async () => {
  const { key, secret } = await create()
  const change = async (wanted: object) => (await owner.ask('PATCH', `${keys}/${key.id}`, wanted)).status
  expect(await change({ allowedAddresses: ['198.51.100.0/24'] })).toBe(200)
  expect(await use(secret, '203.0.113.9')).toEqual([403, 'address_not_allowed'])
  expect(await use(secret, '198.51.100.200')).toEqual(inForce)
  await waitFor('last use', async () => (await keyOf(key.id)).lastUsedAddress === '198.51.100.200', 6000)
  expect(await change({ allowedAddresses: null, permissions: ['sessions:read'] })).toBe(200)
  expect(await use(secret)).toEqual([403, 'insufficient_permission'])
  expect(await change({ permissions: null, requestsPerMinute: 1 })).toBe(200)
  expect([await use(secret), await use(secret)]).toContainEqual([429, 'Too many requests, please try again later.'])
})

test('an old key works beside the one it was rotated to until its overlap is over', async () => {
  const old = await create({ allowedAddresses: ['203.0.113.0/24'] })
  const rotate = (overlapSeconds: number) => owner.ask<NewKey & Refusal>('POST', `${keys}/${old.key.id}/rotate`, { overlapSeconds })
  const next = (await rotate(3600)).body
  expect(next.key).toMatchObject({ name: 'till', scope: 'write', state: 'active', allowedAddresses: ['203.0.113.0/24'] })
  expect(await keyOf(old.key.id)).toMatchObject({ state: 'active', replacedBy: next.key.id })
  expect([await use(old.secret), await use(next.secret)]).toEqual([inForce, inForce])
  expect(refusalOf(await rotate(60))).toEqual([409, 'key_replaced'])
  expect(refusalOf(await owner.ask<Refusal>('PATCH', `${keys}/${old.key.id}`, { expiresAt: null }))).toEqual([409, 'key_replaced'])
  await stack.db.query("update api_keys set expires_at = expires_at - interval '1 hour' where id = $1", [old.key.id])
  expect([await use(old.secret), await use(next.secret)]).toEqual([ended, inForce])
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'x' }],
    ['POST', '/rotate', { overlapSeconds: 0 }],
  ] as const)
    expect(refusalOf(await owner.ask<Refusal>(method, `${keys}/${old.key.id}${path}`, body))).toEqual([409, 'key_not_active'])
})

describe('what a key cannot be limited to is refused by name', () => {
  const past = new Date(Date.now() - 1000).toISOString()
  test.each([
    ['scope', { scope: 'admin' }],
    ['name', { name: ' ' }],
    ['requestsPerMinute', { requestsPerMinute: 0 }],
    ['requestsPerMinute', { requestsPerMinute: 1.5 }],
    ['allowedAddresses', { allowedAddresses: [] }],
    ['allowedAddresses[1]', { allowedAddresses: ['10.0.0.0/8', '10.0.0.1/8'] }],
    ['permissions', { permissions: [] }],
    ['permissions[0]', { permissions: ['keys:manage'] }],
    ['permissions[0]', { scope: 'read', permissions: ['sessions:create'] }],
    ['expiresAt', { expiresAt: past }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['secret', { secret: 'ak_test_000000000000000000000000000000000000' }],
  ])('%s', async (field, wanted) => {
    const before = (await owner.ask<{ total: number }>('GET', keys)).body.total
    expect(refusalOf(await owner.ask<Refusal>('POST', keys, { name: 'x', scope: 'write', ...wanted }))).toEqual([400, 'Invalid request body', field])
    expect((await owner.ask<{ total: number }>('GET', keys)).body.total).toBe(before)
  })

  test('a scope is never changed', async () => {
    const { key } = await create({ scope: 'read' })
    expect(refusalOf(await owner.ask<Refusal>('PATCH', `${keys}/${key.id}`, { scope: 'write' }))).toEqual([400, 'Invalid request body', 'scope'])
    expect(refusalOf(await owner.ask<Refusal>('PATCH', `${keys}/${key.id}`, { permissions: ['sessions:create'] }))).toEqual([
      400,
      'Invalid request body',
      'permissions[0]',
    ])
    expect((await keyOf(key.id)).scope).toBe('read')
  })
})

test("keys are listed page by page and by state, and nobody else's are", async () => {
  const business = (await owner.ask<{ id: string }>('POST', '/businesses', { name: 'Other' })).body.id
  const path = `/businesses/${business}/keys`
  const made: string[] = []
  for (let i = 0; i < 5; i++) made.push((await owner.ask<NewKey>('POST', path, { name: `key ${i}`, scope: 'read' })).body.key.id)
  await owner.ask('POST', `${path}/${made[1]}/revoke`)
  await stack.db.query("update api_keys set expires_at = now() - interval '1 s' where id = any($1)", [[made[1], made[2]]])
  const list = async (query: string) => (await owner.ask<{ keys: Key[]; total: number; nextCursor: string | null }>('GET', `${path}?${query}`)).body
  const idsOf = ({ keys: listed }: { keys: Key[] }) => listed.map(({ id }) => made.indexOf(id))
  const first = await list('limit=2&sort=ASC')
  const second = await list(`limit=2&sort=ASC&cursor=${first.nextCursor}`)
  const third = await list(`limit=2&sort=ASC&cursor=${second.nextCursor}`)
  expect([first, second, third].map(idsOf)).toEqual([[0, 1], [2, 3], [4]])
  expect([first.total, third.nextCursor]).toEqual([5, null])
  const states = await Promise.all(['active', 'expired', 'revoked'].map(async (state) => idsOf(await list(`sort=ASC&state=${state}`))))
  expect(states).toEqual([[0, 3, 4], [2], [1]])
  expect((await owner.ask('GET', `${keys}/${made[0]}`)).status).toBe(404)
})

describe('settings of payments', () => {
  const choose = (who: Browser, accepted: object[] | null) =>
    who.ask<Refusal>('PUT', `/businesses/${stack.businessId}/payments`, { localCurrency: 'NGN', accepted })
  const order = async (token: string) => (await stack.api<Refusal>('POST', '/pos/sessions', { chain: stack.chain, token, amount: '1' })).status

  test('hold for the next session', async () => {
    expect(await order('USDT')).toBe(201)
    expect((await choose(owner, [{ chain: stack.chain, tokens: ['USDC'] }])).status).toBe(200)
    expect([await order('USDC'), await order('USDT')]).toEqual([201, 400])
    expect((await choose(owner, null)).status).toBe(200)
    expect(await order('USDT')).toBe(201)
  })

  test('name every network and token that is not offered, in words of the contract', async () => {
    const wrong = [
      { chain: 'tron', tokens: ['USDT'] },
      { chain: stack.chain, tokens: ['USDC'] },
      { chain: stack.chain, tokens: ['USDC'] },
    ]
    expect(refusalOf(await choose(owner, wrong))).toEqual([400, 'Invalid request body', 'accepted[0].chain', 'accepted[2].chain'])
  })

  test("are the owner's, fees are the operator's", async () => {
    const other = await invited(stack, owner, stack.businessId, 'owner', 'second@example.com')
    const developer = await invited(stack, owner, stack.businessId, 'developer', 'dev@example.com')
    expect(refusalOf(await choose(developer.browser, null))).toEqual([403, 'insufficient_role'])
    expect((await choose(other.browser, null)).status).toBe(200)
    const fees = { feePercent: '2', fxMarginPercent: '0.5' }
    const path = `/operator/businesses/${stack.businessId}/fees`
    const method = 'PUT'
    expect(refusalOf(await other.browser.ask<Refusal>(method, path, fees))).toEqual([403, 'insufficient_role'])
    expect((await owner.ask(method, path, fees)).body).toMatchObject(fees)
    expect((await other.browser.ask('GET', `/businesses/${stack.businessId}/payments`)).body).toMatchObject(fees)
    for (const [field, percent] of [
      ['feePercent', '100'],
      ['fxMarginPercent', '-1'],
    ])
      expect(refusalOf(await owner.ask<Refusal>(method, path, { ...fees, [field ?? '']: percent }))).toEqual([400, 'Invalid request body', field])
  })
})
