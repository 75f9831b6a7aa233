import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type AwsKmsStandIn, kmsKeys, startAwsKms } from '../../test/partners/awsKms.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { keyProviderOf } from '../../treasury/keyProvider.ts'
import { readSettings } from '../platform/config.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import type { KeyProvider } from './keyProvider.ts'
import { rollSeedKey, wrappedBefore } from './rollSeedKey.ts'
import { sealNewWallet } from './sealNewWallet.ts'
import { openSeed, readEntropy } from './seed.ts'
import { keyProviderSettings } from './settings.ts'
import { openWalletKeys, storeWalletKey } from './walletKeys.ts'
import type { SealedWallet } from './walletSeal.ts'

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const environment = { ...process.env }
const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
let database: TestDatabase
let kms: AwsKmsStandIn
let wallet: SealedWallet

beforeAll(async () => {
  kms = await startAwsKms(credentials)
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  })
  database = await createTestDatabase()
})
afterAll(async () => {
  process.env = { ...environment }
  await database?.drop()
  await kms?.close()
})

/** The provider of a deployment's settings. */
const providerOf = (env: Record<string, string>): KeyProvider =>
  keyProviderOf(readSettings('treasury', keyProviderSettings, { AWS_ENDPOINT_URL_KMS: kms.url, ...env }))
const env = (key: string, previous?: string) =>
  providerOf({ SEED_KEY: key, ...(previous ? { SEED_KEY_PREVIOUS: previous } : {}) })
const aws = (more: Record<string, string> = {}) =>
  providerOf({ SEED_KEY_PROVIDER: 'aws-kms', KMS_KEY_ARN: kmsKeys[0], ...more })
const ctxOf = (keyProvider: KeyProvider) => ({ db: database.db, keyProvider })

/** A seed, a wallet key in use with a wallet, and one that is retired, all wrapped by a provider. */
beforeEach(async () => {
  const ctx = ctxOf(env(first))
  for (const table of ['wallets', 'wallet_keys', 'seeds']) await database.db.query(`delete from ${table}`)
  await openSeed(ctx)
  await openWalletKeys(ctx)
  const businessId = newId()
  await insertBusiness(database.db, businessId, 'one')
  const owner = { id: newId(), businessId, chain: 'ethereum', address: `0x${newId()}` }
  wallet = { ...owner, ...(await sealNewWallet(database.db, owner, { privateKey: new Secret('canary') })) }
  await database.db.query('update wallet_keys set retired_at = now()')
  await storeWalletKey(ctx, database.db)
})

const rows = () =>
  database.db.query<{ provider: string; key: string | null; bytes: string }>(
    `select provider, wrapping_key as key, encode(wrapped_key || sealed, 'hex') as bytes from seeds
     union all select provider, wrapping_key, encode(wrapped_key || sealed, 'hex') from wallet_keys order by 3`,
  )

/** What a treasury with this provider opens: the seed's entropy and the secret of the wallet. */
async function opened(keyProvider: KeyProvider): Promise<{ entropy: string; wallet: string }> {
  const entropy = await readEntropy(ctxOf(keyProvider))
  const opener = await openWalletKeys(ctxOf(keyProvider))
  return {
    entropy: Buffer.from(entropy?.reveal() ?? []).toString('hex'),
    wallet: (await opener.open(wallet)).privateKey.reveal(),
  }
}

/** Nothing of it opens: neither the seed nor a wallet key. */
async function expectShut(keyProvider: KeyProvider): Promise<void> {
  await expect(readEntropy(ctxOf(keyProvider))).rejects.toThrow(/the seed cannot be opened/)
  await expect(openWalletKeys(ctxOf(keyProvider))).rejects.toThrow(/the wallet key cannot be opened/)
}

/** A database that takes so many updates, and no more. */
function cutOffAfter(updates: number): Db {
  let done = 0
  return {
    ...database.db,
    query: (sql: string, values?: unknown[]) => {
      if (sql.startsWith('update') && done++ >= updates) throw new Error('cut off')
      return database.db.query(sql, values)
    },
  } as Db
}

describe.each<[string, () => KeyProvider, () => KeyProvider, () => KeyProvider]>([
  ['env to another key of env', () => env(first), () => env(second, first), () => env(second)],
  ['env to AWS KMS', () => env(first), () => aws({ SEED_KEY_PREVIOUS: first }), () => aws()],
  [
    'AWS KMS back to env',
    () => aws(),
    () => providerOf({ SEED_KEY: second, KMS_KEY_ARN: kmsKeys[0] }),
    () => env(second),
  ],
  [
    'AWS KMS to another of its keys',
    () => aws(),
    () => aws({ KMS_KEY_ARN: kmsKeys[1], KMS_KEY_ARN_PREVIOUS: kmsKeys[0] }),
    () => aws({ KMS_KEY_ARN: kmsKeys[1] }),
  ],
])('from %s', (_what, earlier, during, later) => {
  beforeEach(async () => {
    // The first one's rows are of env.
    if (earlier().current.provider === 'aws-kms') await rollSeedKey(ctxOf(aws({ SEED_KEY_PREVIOUS: first })))
  })

  test('every row is sealed again, the treasury opens the same, and the key before opens nothing', async () => {
    const [known, was] = [await opened(earlier()), await rows()]
    await expectShut(later())
    expect(await opened(during())).toEqual(known)
    expect(await rollSeedKey(ctxOf(during()))).toEqual({ rolled: 3, unopened: [] })
    const is = await rows()
    expect(new Set(is.map(({ provider, key }) => `${provider} ${key}`))).toEqual(
      new Set([`${later().current.provider} ${later().current.wrappingKey}`]),
    )
    expect(is.filter(({ bytes }) => was.some((row) => row.bytes === bytes))).toEqual([])
    expect(await opened(later())).toEqual(known)
    await expectShut(earlier())
    expect(await rollSeedKey(ctxOf(during()))).toEqual({ rolled: 0, unopened: [] })
  })

  test('a roll that was interrupted after one row is readable, and finished by the next', async () => {
    const known = await opened(earlier())
    expect(await rollSeedKey({ ...ctxOf(during()), db: cutOffAfter(1) })).toMatchObject({ rolled: 1 })
    expect(await wrappedBefore(ctxOf(during()))).toHaveLength(2)
    expect(new Set((await rows()).map(({ provider, key }) => `${provider} ${key}`)).size).toBe(2)
    expect(await opened(during())).toEqual(known)
    expect(await rollSeedKey(ctxOf(during()))).toEqual({ rolled: 2, unopened: [] })
    expect(await opened(later())).toEqual(known)
  })
})

describe('rows', () => {
  test('of the version before, which name no wrapping key, open and are rolled', async () => {
    for (const table of ['seeds', 'wallet_keys'])
      await database.db.query(`update ${table} set wrapping_key = null`)
    const known = await opened(env(first))
    expect(await opened(env(second, first))).toEqual(known)
    expect(await rollSeedKey(ctxOf(env(first)))).toEqual({ rolled: 3, unopened: [] })
    expect((await rows()).map(({ key }) => key)).not.toContain(null)
    expect(await opened(env(first))).toEqual(known)
  })

  test('that no configured key opens are named and stay, and the others are rolled', async () => {
    await database.db.query('update seeds set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)')
    const { rolled, unopened } = await rollSeedKey(ctxOf(env(second, first)))
    expect([rolled, unopened.map(({ table }) => table)]).toEqual([2, ['seeds']])
    const other = await rollSeedKey(ctxOf(env(randomBytes(32).toString('base64'))))
    expect([other.rolled, other.unopened.length]).toEqual([0, 3])
    expect(other.unopened[0]?.reason).toContain('SEED_KEY is not the one it was sealed with')
  })

  test('stay while AWS KMS denies, wraps what it does not unwrap, or answers with another key, and the treasury does not start with them', async () => {
    const was = await rows()
    for (const mode of ['deny', 'deny-decrypt', 'other-key'] as const) {
      kms.mode = mode
      const { rolled, unopened } = await rollSeedKey(ctxOf(aws({ SEED_KEY_PREVIOUS: first })))
      kms.mode = 'ok'
      expect([rolled, unopened.length, await rows()]).toEqual([0, 3, was])
    }
    await rollSeedKey(ctxOf(aws({ SEED_KEY_PREVIOUS: first })))
    kms.mode = 'deny'
    await expect(openSeed(ctxOf(aws()))).rejects.toThrow(
      /the seed cannot be opened: AWS KMS denies the request/,
    )
    kms.mode = 'ok'
    expect(await database.db.query('select 1 from seeds')).toHaveLength(1)
  })
})
