import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '../../src/platform/ids.ts'
import {
  addBusiness,
  addPerson,
  dashboard,
  type Headers,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import {
  creditOf,
  type RequestVerification,
  requestVerification,
  verificationUrl,
} from '../support/verificationHost.ts'
import { waitFor } from '../support/waitFor.ts'

// The verification area in the dashboard: prices, top-ups, keys and the list.

let stack: Stack
let ask: RequestVerification
let one: Headers
let other: Headers
let owner: Headers
let businessId: string
let person: Person

const headersOf = async (person: Person) => (await sessionOf(stack, person)).headers

beforeAll(async () => {
  stack = await createStack({ processes: ['api', 'verification'] })
  ask = requestVerification(stack)
  one = await headersOf(await addPerson(stack, { operator: true }))
  other = await headersOf(await addPerson(stack, { operator: true }))
  person = await addPerson(stack)
  businessId = await addBusiness(stack, person)
  owner = await headersOf(person)
})
afterAll(() => stack?.close())

interface Price {
  product: string
  country: string | null
  idType: string | null
  price: string
}
interface Refusal {
  error: string
  fields?: { field: string }[]
}

const setPrice = <T = { prices: Price[] }>(body: object) =>
  dashboard<T>(stack, 'PUT', '/operator/verification-prices', body, one)
const propose = <T = { id: string }>(body: object) =>
  dashboard<T>(stack, 'POST', '/operator/adjustments', body, one)
const topUp = (more: object = {}) => ({
  businessId,
  debit: 'capital',
  credit: 'credit',
  asset: 'USD',
  amount: '1',
  reason: 'Paid by bank',
  ...more,
})
const makeKey = <T = { key: { id: string; origins: string[] }; secret: string }>(body: object) =>
  dashboard<T>(stack, 'POST', `/businesses/${businessId}/verification-keys`, { name: 'site', ...body }, owner)

describe('prices', () => {
  test('are set, replaced and removed by operators, and used by later requests', async () => {
    const of = { product: 'verification', country: 'NG', idType: 'passport' }
    expect((await setPrice({ ...of, price: '0.25' })).body.prices).toMatchObject([{ ...of, price: '0.25' }])
    expect((await setPrice({ ...of, price: '0.3' })).body.prices).toMatchObject([{ ...of, price: '0.3' }])
    expect((await setPrice({ product: 'assessment', price: '0.5' })).body.prices).toHaveLength(2)
    expect((await setPrice({ ...of, price: null })).body.prices).toMatchObject([
      { product: 'assessment', country: null, price: '0.5' },
    ])
    await setPrice({ ...of, price: '0.25' })
  })

  test.each([
    [{ product: 'verification', price: '1' }, ['country', 'idType']],
    [{ product: 'decision', country: 'NG', price: '1' }, ['country']],
    [{ product: 'verification', country: 'ZZ', idType: 'passport', price: '1' }, ['country']],
    [{ product: 'decision', price: '0' }, ['price']],
    [{ product: 'decision', price: '0.0000001' }, ['price']],
  ])('%j is refused', async (body, fields) => {
    const answer = await setPrice<Refusal>(body)
    expect([answer.status, answer.body.fields?.map(({ field }) => field)]).toEqual([400, fields])
  })
})

describe('a top-up', () => {
  test('is an adjustment of two operators, and resumes what waits for credit', async () => {
    const key = (await makeKey({ kind: 'secret' })).body.secret
    const body = { requestId: `a-${newId()}`, firstName: 'Adaeze', lastName: 'Canary' }
    const waiting = await ask('POST', '/risk-assessments', key, body)
    expect([waiting.status, waiting.body.pending]).toEqual([402, true])
    const proposed = await propose(topUp())
    expect(proposed.status).toBe(201)
    const decide = (headers: Headers) =>
      dashboard<Refusal>(
        stack,
        'PUT',
        `/operator/adjustments/${proposed.body.id}/decision`,
        { decision: 'approved' },
        headers,
      )
    expect((await decide(one)).body.error).toBe('own_request')
    expect((await decide(other)).status).toBe(200)
    const path = String(waiting.body.statusUrl).replace(/^.*\/api\/kyc/, '')
    await waitFor('its end', async () => (await ask('GET', path, key)).body.status === 'completed')
    expect(await creditOf(stack, businessId)).toEqual({ credit: 500_000n, credit_held: 0n })
  })

  test('and what it paid for are in the books of the business', async () => {
    const books = <T>(path: string) =>
      dashboard<T>(stack, 'GET', `/businesses/${businessId}/${path}`, undefined, owner)
    const { body } = await books<{ balances: object[] }>('balances?asset=USD')
    expect(body.balances).toMatchObject([
      { asset: 'USD', chain: null, symbol: 'USD', credit: '0.5', creditHeld: '0' },
    ])
    const kinds = async (query: string) => {
      const answer = await books<{ entries: { kind: string }[] }>(`ledger/entries?asset=USD&sort=ASC${query}`)
      return answer.body.entries.map(({ kind }) => kind)
    }
    expect(await kinds('')).toEqual(['adjustment', 'verification.held', 'verification.taken'])
    expect(await kinds('&kind=verification.taken')).toEqual(['verification.taken'])
    const month = `from=${new Date(Date.now() - 86_400_000).toISOString()}&to=${new Date(Date.now() + 86_400_000).toISOString()}`
    const statement = await books<{ accounts: { account: string; closing: string }[] }>(
      `ledger/statement?${month}`,
    )
    expect(statement.body.accounts).toMatchObject([
      { account: 'credit', closing: '0.5' },
      { account: 'credit_held', closing: '0' },
    ])
  })

  test.each([
    ['without a business', { businessId: undefined }, ['businessId']],
    ['in another asset', { asset: 'ethereum:USDC' }, ['credit']],
    ['to available', { credit: 'available' }, ['credit']],
    ['from what is held', { debit: 'credit_held' }, ['debit']],
  ])('%s is refused', async (_name, more, fields) => {
    const answer = await propose<Refusal>(topUp(more))
    expect([answer.status, answer.body.fields?.map(({ field }) => field)]).toEqual([400, fields])
  })

  test('is taken back only where the credit is there', async () => {
    const proposed = await propose(topUp({ debit: 'credit', credit: 'capital', amount: '5' }))
    const { body } = await dashboard<Refusal>(
      stack,
      'PUT',
      `/operator/adjustments/${proposed.body.id}/decision`,
      { decision: 'approved' },
      other,
    )
    expect(body.error).toBe('insufficient_funds')
  })
})

describe('a key', () => {
  test('names its web sites, which its successor keeps; a secret key names no site', async () => {
    const made = await makeKey({
      kind: 'publishable',
      origins: ['https://shop.example', 'https://shop.example', 'http://localhost:5173'],
    })
    expect(made.body.key.origins).toEqual(['https://shop.example', 'http://localhost:5173'])
    const path = `/businesses/${businessId}/verification-keys/${made.body.key.id}/rotate`
    const next = await dashboard<typeof made.body>(stack, 'POST', path, { overlapSeconds: 0 }, owner)
    expect(next.body.key.origins).toEqual(made.body.key.origins)
    const at = { headers: { authorization: `Bearer ${next.body.secret}`, origin: 'https://shop.example' } }
    expect((await fetch(`${verificationUrl(stack)}/status/${newId()}`, at)).status).toBe(404)
    expect((await makeKey({ kind: 'secret', origins: ['https://shop.example'] })).status).toBe(400)
    for (const origin of ['http://shop.example', 'https://shop.example/', 'https://*', '*', 'null'])
      expect((await makeKey({ kind: 'publishable', origins: [origin] })).status).toBe(400)
  })

  test('is rotated once, with an overlap; revoked, it ends with the next request', async () => {
    const { key, secret } = (await makeKey({ kind: 'secret' })).body
    const change = (how: 'rotate' | 'revoke', body?: object) =>
      dashboard<Refusal & { secret: string }>(
        stack,
        'POST',
        `/businesses/${businessId}/verification-keys/${key.id}/${how}`,
        body,
        owner,
      )
    const statusWith = async (of: string) => (await ask('GET', `/status/${newId()}`, of)).status
    const next = (await change('rotate', { overlapSeconds: 3600 })).body.secret
    expect([await statusWith(secret), await statusWith(next)]).toEqual([404, 404])
    expect((await change('rotate', { overlapSeconds: 0 })).body.error).toBe('key_replaced')
    expect((await change('revoke')).status).toBe(200)
    expect([await statusWith(secret), await statusWith(next)]).toEqual([401, 404])
    expect((await change('rotate', { overlapSeconds: 0 })).body.error).toBe('key_not_active')
  })
})

test("the web sites of a publishable key are changed by its owner, from the next request on; those of a secret key or another's are not", async () => {
  const { key, secret } = (await makeKey({ kind: 'publishable', origins: ['https://old.example'] })).body
  const change = (id: string, origins: string[], by = owner) =>
    dashboard<{ origins: string[] }>(
      stack,
      'POST',
      `/businesses/${businessId}/verification-keys/${id}/origins`,
      { origins },
      by,
    )
  const statusFrom = async (origin: string) =>
    (
      await fetch(`${verificationUrl(stack)}/status/${newId()}`, {
        headers: { authorization: `Bearer ${secret}`, origin },
      })
    ).status
  const changed = await change(key.id, ['https://new.example', 'https://new.example'])
  expect([changed.status, changed.body.origins]).toEqual([200, ['https://new.example']])
  expect([await statusFrom('https://old.example'), await statusFrom('https://new.example')]).toEqual([
    403, 404,
  ])
  expect((await change((await makeKey({ kind: 'secret' })).body.key.id, [])).status).toBe(400)
  expect((await change(key.id, [], await headersOf(await addPerson(stack)))).status).toBe(404)
  expect((await change(key.id, ['https://x.example/path'])).status).toBe(400)
  await dashboard(
    stack,
    'POST',
    `/businesses/${businessId}/verification-keys/${key.id}/revoke`,
    undefined,
    owner,
  )
  expect((await change(key.id, [])).status).toBe(409)
})

test('the list and the page show verifications of the business, and no personal data', async () => {
  const key = (await makeKey({ kind: 'secret' })).body.secret
  const body = {
    requestId: `v-${newId()}`,
    country: 'NG',
    idType: 'passport',
    idNumber: 'CANARY1',
    firstName: 'Canary',
  }
  const { id } = (await ask('POST', '/verify', key, body)).body
  const list = await dashboard<{ verifications: { id: string }[] }>(
    stack,
    'GET',
    `/businesses/${businessId}/verifications?country=NG`,
    undefined,
    owner,
  )
  expect(list.body.verifications).toMatchObject([{ id, requestId: body.requestId, price: '0.25' }])
  const page = (of: string) =>
    dashboard<{ status: string }>(stack, 'GET', `/businesses/${of}/verifications/${id}`, undefined, owner)
  const shown = await page(businessId)
  expect(shown.body).toMatchObject({ id, requestId: body.requestId, price: '0.25', country: 'NG' })
  expect(JSON.stringify([list.body, shown.body])).not.toMatch(/canary/i)
  const own = await addBusiness(stack, person)
  expect((await page(own)).status).toBe(404)
})
