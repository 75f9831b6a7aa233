import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createRequestKey } from './requestKey.ts'

const appKey = new Secret(randomBytes(32).toString('base64'))
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => database.db.query('delete from request_keys'))
afterAll(() => database?.drop())

const keyOf = async () => (await createRequestKey({ db: database.db, appKey })()).reveal()

test('the request key of a new deployment is random, and the same for all processes', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, keyOf))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).not.toBe(appKey.reveal())
  expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32)
  await database.db.query('delete from request_keys')
  expect(await keyOf()).not.toBe(keys[0])
})

test('where a version that hashed with APP_KEY has left keys, it stays APP_KEY', async () => {
  const hash = randomBytes(32)
  await database.db.query(
    "insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until) values ($1, 'k', $2, $3, now())",
    [newId(), hash, newId()],
  )
  expect(await keyOf()).toBe(appKey.reveal())
})
