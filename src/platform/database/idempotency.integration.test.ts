import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertBusiness } from '../../../test/support/madeBusiness.ts'
import { ApiError } from '../errors.ts'
import { newId } from '../ids.ts'
import { Secret } from '../secrets.ts'
import type { Db } from './db.ts'
import {
  fingerprintOf,
  type IdempotencyLease,
  type StoredAnswer,
  startIdempotent,
  storedKey,
} from './idempotency.ts'

let database: TestDatabase
let db: Db
const appKey = new Secret(Buffer.alloc(32, 1).toString('base64'))
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(() => database?.drop())

interface Request {
  businessId: string
  key: string
  operation: string
  body: unknown
  keepDays: number | null
}
const request = (more: Partial<Request> = {}): Request => ({
  businessId,
  key: newId(),
  operation: 'createSession',
  body: { chain: 'ethereum', amount: '5' },
  keepDays: null,
  ...more,
})
const begin = (of: Request, key = appKey) =>
  startIdempotent(
    { db, requestKey: async () => key },
    {
      ...of,
      digest: createHash('sha256')
        .update(JSON.stringify(of.body) ?? '')
        .digest(),
    },
  )

async function lease(of: Request): Promise<IdempotencyLease> {
  const begun = await begin(of)
  if (!('complete' in begun)) throw new Error(`a stored answer: ${JSON.stringify(begun)}`)
  return begun
}
const answer: StoredAnswer = {
  status: 201,
  body: { id: 'made', nested: [1, { a: null }], text: 'é\u0000' },
  kind: null,
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    (got) => `it did not fail: ${JSON.stringify(got)}`,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error
}
const inProgress = expect.objectContaining({
  status: 409,
  error: 'request_in_progress',
  retryAfterSeconds: expect.any(Number),
})
const reused = expect.objectContaining({ status: 422, error: 'idempotency_key_reused' })
const expireLease = (of: Request) =>
  db.query("update idempotency_keys set lease_until = now() - interval '1 ms' where key = $1", [
    storedKey(appKey, of.key),
  ])

describe('the same key', () => {
  test('with the same body returns the first answer, for ever', async () => {
    const of = request()
    await (await lease(of)).complete(db, answer)
    expect(await begin(of)).toEqual(answer)
    await expireLease(of)
    expect(await begin(of)).toEqual(answer)
  })

  test('with other bytes is another request, also where they parse to the same value', async () => {
    const of = request({ body: { a: 1, b: 2 } })
    await (await lease(of)).complete(db, answer)
    expect(await failure(begin({ ...of, body: { b: 2, a: 1 } }))).toEqual(reused)
  })

  test('that an earlier version stored is compared as that version did, with the fields in any order', async () => {
    const of = request({ body: { a: 1, b: { c: [1, 2], d: 'x' }, e: null } })
    await (await lease(of)).complete(db, answer)
    const before = await fingerprintOf(appKey, of)
    await db.query('update idempotency_keys set fingerprint = $2 where key = $1', [
      storedKey(appKey, of.key),
      before,
    ])
    expect(await begin({ ...of, body: { e: null, b: { d: 'x', c: [1, 2] }, a: 1 } })).toEqual(answer)
    expect(await failure(begin({ ...of, body: { a: 2 } }))).toEqual(reused)
  })

  test.each<[string, Partial<Request>]>([
    ['another value', { body: { chain: 'ethereum', amount: '6' } }],
    ['another type of value', { body: { chain: 'ethereum', amount: 5 } }],
    ['a field more', { body: { chain: 'ethereum', amount: '5', label: null } }],
    ['a field less', { body: { chain: 'ethereum' } }],
    ['no body', { body: undefined }],
    ['another operation', { operation: 'quoteSession' }],
  ])('with %s is a 422, answered or not', async (_what, more) => {
    const of = request()
    const held = await lease(of)
    expect(await failure(begin({ ...of, ...more }))).toEqual(reused)
    await held.complete(db, answer)
    expect(await failure(begin({ ...of, ...more }))).toEqual(reused)
    expect(await begin(of)).toEqual(answer)
  })

  test('with a list in another order is another request', async () => {
    const of = request({ body: { list: [1, 2] } })
    await (await lease(of)).complete(db, answer)
    expect(await failure(begin({ ...of, body: { list: [2, 1] } }))).toEqual(reused)
  })

  test('of another business is independent', async () => {
    const of = request()
    await (await lease(of)).complete(db, answer)
    const theirs = await lease({ ...of, businessId: newId(), body: { chain: 'ethereum', amount: '7' } })
    await theirs.release()
  })
})

describe('a request that is still running', () => {
  test('answers its repetition with a 409 that names when to retry', async () => {
    const of = request()
    await lease(of)
    expect(await failure(begin(of))).toEqual(inProgress)
  })

  test('runs once, however many repeat it at once', async () => {
    const of = request()
    const begun = await Promise.allSettled(Array.from({ length: 20 }, () => begin(of)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of begun) if (each.status === 'rejected') expect(each.reason).toEqual(inProgress)
  })

  test('can be repeated at once after it failed', async () => {
    const of = request()
    await (await lease(of)).release()
    await (await lease(of)).complete(db, answer)
    expect(await begin(of)).toEqual(answer)
  })

  test('keeps its answer after a late release', async () => {
    const of = request()
    const held = await lease(of)
    await held.complete(db, answer)
    await held.release()
    expect(await begin(of)).toEqual(answer)
  })
})

describe('an expired lease', () => {
  test('is taken over by the next request, and the first holder can then complete nothing', async () => {
    const of = request()
    const crashed = await lease(of)
    await expireLease(of)
    const next = await lease(of)
    expect(await failure(crashed.complete(db, { status: 201, body: 'of the first' }))).toEqual(inProgress)
    await crashed.release()
    await next.complete(db, answer)
    expect(await failure(crashed.complete(db, { status: 201, body: 'of the first' }))).toEqual(inProgress)
    expect(await begin(of)).toEqual(answer)
  })

  test("rolls back the first holder's effect in the same transaction", async () => {
    const of = request()
    const crashed = await lease(of)
    await expireLease(of)
    await lease(of)
    const effect = newId()
    await failure(
      db.tx(async (tx) => {
        await insertBusiness(tx, effect, 'effect')
        await crashed.complete(tx, answer)
      }),
    )
    expect(await db.query('select 1 from businesses where id = $1', [effect])).toEqual([])
  })

  test('is taken over by only one of many', async () => {
    const of = request()
    await lease(of)
    await expireLease(of)
    const begun = await Promise.allSettled(Array.from({ length: 20 }, () => begin(of)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('still belongs to the first holder until it is taken over', async () => {
    const of = request()
    const slow = await lease(of)
    await expireLease(of)
    await slow.complete(db, answer)
    expect(await begin(of)).toEqual(answer)
  })

  test('lasts a minute from when it was given or taken over', async () => {
    const of = request()
    const left = async () => {
      const [row] = await db.query<{ seconds: number }>(
        'select extract(epoch from lease_until - now())::float as seconds from idempotency_keys where key = $1',
        [storedKey(appKey, of.key)],
      )
      return row?.seconds
    }
    await lease(of)
    expect(await left()).toBeGreaterThan(50)
    expect(await left()).toBeLessThanOrEqual(60)
    await expireLease(of)
    await lease(of)
    expect(await left()).toBeGreaterThan(50)
  })
})

describe('stored data', () => {
  test('contains neither key nor body, nor a hash of the body that can be guessed', async () => {
    const body = { fromPrivateKey: 'canary7f3a91' }
    const of = request({ body })
    await lease(of)
    const [row] = await db.query<{ fingerprint: Buffer; all: string }>(
      'select fingerprint, k::text as all from idempotency_keys k where key = $1',
      [storedKey(appKey, of.key)],
    )
    expect(row?.all).not.toContain('canary')
    expect(row?.all).not.toContain(of.key)
    const texts = [
      JSON.stringify(body),
      `${of.operation}\n${JSON.stringify(body)}`,
      `${of.operation}${JSON.stringify(body)}`,
    ]
    for (const algorithm of ['sha256', 'sha512', 'sha1', 'md5']) {
      for (const text of texts)
        expect(row?.fingerprint.equals(createHash(algorithm).update(text).digest())).toBe(false)
    }
    // With another application key the same request counts as another one.
    const other = new Secret(Buffer.alloc(32, 2).toString('base64'))
    expect(await begin(of, other)).toHaveProperty('complete')
    const [prints] = await db.query<{ all: number }>(
      'select count(distinct fingerprint)::int as all from idempotency_keys where key = any($1)',
      [[storedKey(appKey, of.key), storedKey(other, of.key)]],
    )
    expect(prints?.all).toBe(2)
  })
})
