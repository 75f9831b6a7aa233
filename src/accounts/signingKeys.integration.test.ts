import { afterAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appKey as appKeyText } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { issueAccessToken, readAccessToken } from './accessToken.ts'
import { createSigningKeys, rollSigningKeys, type SigningKeys } from './signingKeys.ts'

const appKey = new Secret(appKeyText)
const issuer = 'https://cowry.test'
let database: TestDatabase

beforeEach(async () => {
  if (!database) database = await createTestDatabase(20)
  await database.db.query('delete from signing_keys')
})
afterAll(() => database?.drop())

/** The key set of a process that has just started. */
const started = (): SigningKeys =>
  createSigningKeys({ db: database.db, appKey, log: createLog('keys', 'silent') }, 30)
const kidsOf = async (keys: SigningKeys) => (await keys.published()).map(({ kid }) => kid)
const claims = () => ({ accountId: newId(), signInId: newId(), businessId: null })
const sign = (keys: SigningKeys) => issueAccessToken({ signingKeys: keys, issuer }, claims())
const reads = async (keys: SigningKeys, token: string) => {
  const read = await readAccessToken({ signingKeys: keys, issuer }, token)
  return read !== null && read !== 'expired'
}

/** Sets the age of one key or of all; a negative age is in the future. */
const age = (interval: string, kid: string | null = null) =>
  database.db.query(
    'update signing_keys set active_at = now() - $1::interval where $2::uuid is null or id = $2',
    [interval, kid],
  )

const stored = () =>
  database.db.query<{ id: string; inSeconds: number }>(
    `select id, extract(epoch from active_at - now())::float8 as "inSeconds" from signing_keys order by active_at`,
  )

test('ten processes that start at once create one key and share it', async () => {
  const processes = Array.from({ length: 10 }, started)
  const current = await Promise.all(processes.map((keys) => keys.current()))
  expect(new Set(current.map(({ kid }) => kid)).size).toBe(1)
  const [one, two] = processes as [SigningKeys, SigningKeys]
  expect([await reads(two, await sign(one)), await reads(one, await sign(two))]).toEqual([true, true])
})

test('a key that is not old stays', async () => {
  const [kid] = await kidsOf(started())
  await age('29 days')
  expect(await kidsOf(started())).toEqual([kid])
})

test('a new key is published ten minutes before it signs; until then the old one signs', async () => {
  const { kid: old } = await started().current()
  await age('31 days')
  const keys = started()
  const published = await kidsOf(keys)
  expect(published).toHaveLength(2)
  expect(published).toContain(old)
  expect((await keys.current()).kid).toBe(old)
  const [, fresh] = await stored()
  expect(fresh?.inSeconds).toBeGreaterThan(9.5 * 60)
  expect(fresh?.inSeconds).toBeLessThanOrEqual(10 * 60)
  // Another process finds it and creates no third one.
  expect((await kidsOf(started())).toSorted()).toEqual(published.toSorted())
})

test('tokens of the old key stay valid until the last has expired; then the key is deleted from the set and the database', async () => {
  const before = started()
  const { kid: old } = await before.current()
  const token = await sign(before)
  await age('31 days')
  const fresh = (await kidsOf(started())).find((kid) => kid !== old) ?? ''

  await age('1 second', fresh)
  const first = started()
  expect((await first.current()).kid).toBe(fresh)
  expect(await reads(first, token)).toBe(true)
  // A process with an older set refreshes it, at most once a second.
  await waitFor('a token of the new key is read', async () => reads(before, await sign(first)))

  // The longest lifetime of a token of the old key.
  await age('15 minutes', fresh)
  const second = started()
  expect(await kidsOf(second)).toContain(old)
  expect(await reads(second, token)).toBe(true)

  await age('21 minutes', fresh)
  const third = started()
  expect(await kidsOf(third)).toEqual([fresh])
  expect((await stored()).map(({ id }) => id)).toEqual([fresh])
  expect(await reads(third, token)).toBe(false)
})

test('the published set has no private part', async () => {
  const [jwk] = await started().published()
  expect(Object.keys(jwk ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  expect(jwk).toMatchObject({ alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' })
})

test('write access to the table is not enough to replace a signing key', async () => {
  await started().current()
  const [ours] = await database.db.query<{ id: string; sealed: Buffer }>(
    'select id, sealed from signing_keys',
  )
  const insert = (sealed: Buffer) =>
    database.db.query('insert into signing_keys (id, sealed, active_at) values ($1, $2, now())', [
      newId(),
      sealed,
    ])
  // A sealed key does not open under another id, nor with another APP_KEY.
  await insert(ours?.sealed ?? Buffer.alloc(0))
  await expect(started().current()).rejects.toThrow('cannot open')
  const others = createSigningKeys(
    {
      db: database.db,
      appKey: new Secret(Buffer.alloc(32, 77).toString('base64')),
      log: createLog('keys', 'silent'),
    },
    30,
  )
  await database.db.query('delete from signing_keys')
  const token = await sign(others)
  await expect(reads(started(), token)).rejects.toThrow('roll-signing-keys')
})

test('while the database is away the last set is used', async () => {
  let away = false
  const db = {
    ...database.db,
    tx: (work: never) => (away ? Promise.reject(new Error('away')) : database.db.tx(work)),
  } as typeof database.db
  const keys = createSigningKeys({ db, appKey, log: createLog('keys', 'silent') }, 30)
  const token = await sign(keys)
  away = true
  const ctx = { signingKeys: keys, issuer }
  await expect(readAccessToken(ctx, token)).resolves.toMatchObject({ businessId: null })
  await expect(keys.find(newId())).resolves.toBeNull()
  const startedNow = createSigningKeys({ db, appKey, log: createLog('keys', 'silent') }, 30)
  await expect(startedNow.current()).rejects.toThrow('away')
})

test('rolling the keys ends them at once, and a new one signs', async () => {
  const before = started()
  const token = await sign(before)
  const { kid: old } = await before.current()
  await rollSigningKeys({ db: database.db, appKey }, async () => {})
  const after = started()
  const { kid } = await after.current()
  expect(kid).not.toBe(old)
  expect(await kidsOf(after)).toEqual([kid])
  expect(await reads(after, token)).toBe(false)
})
