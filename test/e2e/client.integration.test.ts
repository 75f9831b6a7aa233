import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { AuthenticationError, type Client, createClient, IdempotencyConflictError, NotFoundError, ValidationError } from '../../client/index.ts'
import { createStack, type Stack } from '../support/stack.ts'

let stack: Stack
let client: Client
const clientOf = (apiKey?: string) => createClient({ baseUrl: `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1`, apiKey })

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'] })
  client = clientOf(stack.apiKey)
})
afterAll(() => stack?.close())

const body = { chain: 'ethereum', token: 'USDC', amount: '10' } as const
const create = (more: object = {}, idempotencyKey?: string) => client.call('createSession', { body: { ...body, ...more }, idempotencyKey })

test('a session that was created is read back, and is cancelled', async () => {
  const made = await create({ label: 'Table 4' })
  expect(made).toMatchObject({ chain: 'ethereum', token: 'USDC', amountExpected: '10', status: 'pending', label: 'Table 4' })
  expect(await client.call('getSession', { path: { id: made.id } })).toEqual(made)
  expect((await client.call('cancelSession', { path: { id: made.id } })).status).toBe('cancelled')
})

test('pages give each session once', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => create({ reference: 'paged' })))
  const { sessions, total } = await client.call('listSessions', { query: { reference: 'paged', limit: 2, status: undefined } })
  expect([sessions.length, total]).toEqual([2, 5])
  const pages: string[][] = []
  for await (const page of client.pages('listSessions', { query: { reference: 'paged', limit: 2 } })) pages.push(page.sessions.map(({ id }) => id))
  expect(pages.map((ids) => ids.length)).toEqual([2, 2, 1])
  expect(pages.flat().sort()).toEqual(made.map(({ id }) => id).sort())
})

test('the same key gives the same session again, and is refused for another request', async () => {
  const first = await create({ reference: 'order-7' }, 'order-7')
  expect(await create({ reference: 'order-7' }, 'order-7')).toEqual(first)
  const refused = await create({ amount: '11' }, 'order-7').catch((error) => error)
  expect(refused).toBeInstanceOf(IdempotencyConflictError)
  expect(refused).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('what is wrong is told by a typed error with its request id', async () => {
  const wrong = await create({ amount: '-1' }).catch((error) => error)
  expect(wrong).toBeInstanceOf(ValidationError)
  expect(wrong.fields.map(({ field }: { field: string }) => field)).toEqual(['amount'])

  const missing = await client.call('getSession', { path: { id: '0198c5f0-0000-7000-8000-000000000000' } }).catch((error) => error)
  expect(missing).toBeInstanceOf(NotFoundError)
  expect(missing).toMatchObject({ status: 404, code: 'Not found' })

  const unknown = await clientOf('ak_test_wrong')
    .call('listWallets')
    .catch((error) => error)
  expect(unknown).toBeInstanceOf(AuthenticationError)
  expect(unknown).toMatchObject({ status: 401, code: 'Invalid API key' })

  for (const error of [wrong, missing, unknown]) expect(error.requestId).toMatch(/^[\w.-]{8,}$/)
})

test('what is outside /api/v1 answers without a key', async () => {
  expect(await clientOf().call('getLiveness')).toEqual({ status: 'ok' })
})
