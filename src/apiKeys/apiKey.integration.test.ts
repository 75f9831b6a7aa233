import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { businessModel } from '../businesses/model.ts'
import { newId } from '../platform/ids.ts'
import { findKey } from './findKey.ts'
import { environmentOf, generateApiKey } from './form.ts'
import { createApiKey } from './storeKey.ts'

let database: TestDatabase
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  await businessModel(database.db.sequelize).create({
    id: businessId,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
})
afterAll(() => database?.drop())

test('a key has the specified form and is unique', () => {
  const keys = Array.from({ length: 200 }, () => generateApiKey('test').reveal())
  for (const key of keys) expect(key).toMatch(/^ak_test_[0-9A-Za-z]{36}$/)
  expect(new Set(keys).size).toBe(200)
  expect(generateApiKey('live').reveal()).toMatch(/^ak_live_/)
})

test('a key with any one character changed is malformed', () => {
  fc.assert(
    fc.property(fc.nat(35), fc.constantFrom(...'0123456789ABCDEFabcdefXYZxyz'), (position, character) => {
      const key = generateApiKey('test').reveal()
      const at = 'ak_test_'.length + position
      const changed = key.slice(0, at) + character + key.slice(at + 1)
      expect(environmentOf(changed)).toBe(changed === key ? 'test' : null)
    }),
  )
  for (const text of ['', 'ak_test_', 'ak_test_short', 'sk_test_000000000000000000000000000000000000'])
    expect(environmentOf(text)).toBeNull()
})

test('only the hash of a key is stored, and the key is valid for its own business until it is revoked or expires', async () => {
  const key = (
    await createApiKey(database, { businessId, name: 'one', scope: 'read', environment: 'test' })
  ).reveal()
  expect(await findKey(database, key)).toMatchObject({
    businessId,
    scope: 'read',
    approval: 'pending',
    allowedAddresses: null,
    permissions: null,
  })
  const [row] = await database.db.query<{ text: string; hash: Buffer }>(
    "select k::text as text, hash from api_keys k where name = 'one'",
  )
  expect(row?.text).not.toContain(key.slice(13))
  expect(row?.hash.equals(createHash('sha256').update(key).digest())).toBe(true)
  expect(await findKey(database, generateApiKey('test').reveal())).toBeNull()
  await database.db.query("update api_keys set expires_at = now() - interval '1 second'")
  expect(await findKey(database, key)).toBeNull()
  await database.db.query('update api_keys set expires_at = null, revoked_at = now()')
  expect(await findKey(database, key)).toBeNull()
})
