import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../../src/platform/ids.ts'
import { awayFromMidnight } from '../support/awayFromMidnight.ts'
import { addMember, dashboard, type Headers, type Person, sessionOf } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// The days of Lagos.
await awayFromMidnight({ hoursAhead: 1 })

// The till by its API, as a cashier uses it.

let stack: Stack
let cashier: Person
let headers: Headers

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum'], confirmations: 2 })
  cashier = await addMember(stack, stack.businessId, 'cashier')
  headers = (await sessionOf(stack, cashier)).headers
})
afterAll(() => stack?.close())

interface Session {
  id: string
  status: string
  amountExpected: string
  localAmount: string | null
  checkoutUrl: string
}
interface Day {
  day: string
  count: number
  paid: number
  totals: { currency: string; amount: string }[]
  sessions: Session[]
}

const till = <T>(method: string, path: string, body?: unknown, more: Headers = {}) =>
  dashboard<T>(stack, method, `/businesses/${stack.businessId}/till${path}`, body, { ...headers, ...more })
const create = (body: object, key: string = newId()) =>
  till<Session>(
    'POST',
    '/sessions',
    { chain: 'ethereum', token: 'USDC', ...body },
    { 'idempotency-key': key },
  )
const today = async (timeZone = 'Africa/Lagos') =>
  (await till<Day>('GET', `/sessions?timeZone=${encodeURIComponent(timeZone)}`)).body

test('a cashier takes a payment: once for a key, listed with the total of the day, and nothing more is told', async () => {
  const { body: what } = await till<Record<string, unknown>>('GET', '')
  expect(what).toMatchObject({ business: expect.any(String), currency: 'NGN' })
  expect(what.networks).toEqual([
    { chain: 'ethereum', tokens: ['USDC', 'USDT'], ready: true, delayedSince: null },
  ])

  const key = newId()
  const { status, body: session } = await create({ localAmount: '25000' }, key)
  expect([status, session.localAmount, session.status]).toEqual([201, '25000', 'pending'])
  expect(Object.keys(session).sort()).toEqual([
    'amountExpected',
    'amountReceived',
    'chain',
    'checkoutUrl',
    'createdAt',
    'exception',
    'expiresAt',
    'id',
    'localAmount',
    'localCurrency',
    'status',
    'token',
  ])
  expect((await create({ localAmount: '25000' }, key)).body.id).toBe(session.id)
  expect(await today()).toMatchObject({ count: 1, paid: 0, totals: [], sessions: [session] })

  await stack.pay(await stack.session(session.id))
  await stack.mine(2)
  await waitFor('the payment', async () => (await stack.session(session.id)).status === 'paid')
  expect(await today()).toMatchObject({
    count: 1,
    paid: 1,
    totals: [{ currency: 'NGN', amount: '25000' }],
    sessions: [{ id: session.id, status: 'paid', amountReceived: session.amountExpected }],
  })
})

test('only sessions of the till are listed and cancelled, and only without a payment', async () => {
  const elsewhere = await stack.createSession()
  const before = await today()
  expect(before.sessions.map(({ id }) => id)).not.toContain(elsewhere.id)
  expect((await till('POST', `/sessions/${elsewhere.id}/cancel`)).status).toBe(404)

  const { body: open } = await create({ localAmount: '100' })
  expect(await till('POST', `/sessions/${open.id}/cancel`)).toMatchObject({
    status: 200,
    body: { id: open.id, status: 'cancelled' },
  })
  const { body: begun } = await create({ localAmount: '100' })
  await stack.send((await stack.session(begun.id)).address, 1n)
  await stack.mine()
  await stack.caughtUp()
  expect(await till('POST', `/sessions/${begun.id}/cancel`)).toMatchObject({
    status: 409,
    body: { error: 'payment_seen' },
  })
  expect(await today()).toMatchObject({ count: before.count + 2, paid: before.paid, totals: before.totals })
})

test('the day is that of the time zone: sessions of before midnight are not in it', async () => {
  const { body: session } = await create({ localAmount: '100' })
  const counted = await today()
  await stack.db.query(
    `update till_sessions set created_at = date_trunc('day', now() at time zone 'Africa/Lagos') at time zone 'Africa/Lagos' - interval '1 second'
     where session_id = $1`,
    [session.id],
  )
  const day = await today()
  expect([day.count, day.sessions.some(({ id }) => id === session.id)]).toEqual([counted.count - 1, false])
  for (const timeZone of ['Mars/Base', 'GMT+3', 'x'])
    expect(await till('GET', `/sessions?timeZone=${encodeURIComponent(timeZone)}`)).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'timeZone' }] },
    })
  expect((await today('Pacific/Kiritimati')).day).not.toBe((await today('Pacific/Niue')).day)
})

test('an amount that cannot be priced is named, and makes no session', async () => {
  const { count } = await today()
  for (const body of [{}, { localAmount: '1', amount: '1' }, { localAmount: '0' }, { localAmount: '1.234' }])
    expect(await create(body)).toMatchObject({ status: 400, body: { fields: expect.any(Array) } })
  expect((await today()).count).toBe(count)
})

test('every role has the till, and who is no member finds no business', async () => {
  for (const role of ['viewer', 'developer', 'owner'] as const) {
    const own = (await sessionOf(stack, await addMember(stack, stack.businessId, role))).headers
    expect((await till('GET', '', undefined, own)).status).toBe(200)
  }
})
