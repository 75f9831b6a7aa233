import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { x25519 } from '@noble/curves/ed25519.js'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openModelDb } from '../platform/database/modelDb.ts'
import { messageOf } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { openEnvelope } from './envelope.ts'
import { envKeyProvider } from './keyProvider.ts'
import { sealNewWallet } from './sealNewWallet.ts'
import { currentWalletKey } from './walletKeyPair.ts'
import { openWalletKeys } from './walletKeys.ts'

const keyText = Buffer.alloc(32, 21).toString('base64')
const keyProvider = envKeyProvider(new Secret(keyText))
const owner = {
  id: newId(),
  businessId: newId(),
  chain: 'tron',
  address: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
}
const secrets = { privateKey: new Secret('canary') }
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.query('delete from wallet_keys')
})

interface KeyRow {
  id: string
  public_key: Buffer
  provider: string
  wrapping_key: string | null
  wrapped_key: Buffer
  sealed: Buffer
  retired_at: Date | null
}
const rows = () => database.db.query<KeyRow>('select * from wallet_keys')
const envelopeOf = (row: KeyRow) => ({
  provider: row.provider,
  wrappingKey: row.wrapping_key,
  wrappedKey: row.wrapped_key,
  sealed: row.sealed,
})
const open = (db = database.db, provider = keyProvider) => openWalletKeys({ db, keyProvider: provider })

describe('the key pair of stored wallets', () => {
  test('is created by the first call and stays the same: sealed wallets open later', async () => {
    await open()
    const key = await currentWalletKey(database.db)
    const sealed = await sealNewWallet(database.db, owner, secrets)
    const later = await (await open()).open({ ...owner, ...sealed })
    expect(later.privateKey.reveal()).toBe('canary')
    expect(await currentWalletKey(database.db)).toEqual(key)
    expect(await rows()).toHaveLength(1)
  })

  test('is the same for all concurrent first calls', async () => {
    const dbs = Array.from({ length: 6 }, () => openModelDb(database.url, 1))
    try {
      for (let round = 0; round < 5; round++) {
        await database.db.query('delete from wallet_keys')
        const openers = await Promise.all(dbs.map((db) => open(db)))
        expect(await rows()).toHaveLength(1)
        const sealed = await sealNewWallet(database.db, owner, secrets)
        for (const opener of openers)
          expect((await opener.open({ ...owner, ...sealed })).privateKey.reveal()).toBe('canary')
      }
    } finally {
      await Promise.all(dbs.map((db) => db.close()))
    }
  })

  test('stores its private key as an envelope only, which is invalid in any other row', async () => {
    await open()
    const [row] = await rows()
    if (!row) throw new Error('no row')
    const privateKey = (
      await openEnvelope(keyProvider, envelopeOf(row), `cowry/wallet-key/v1/${row.id}`)
    ).reveal()
    expect(row.public_key.equals(x25519.getPublicKey(privateKey))).toBe(true)
    const [text] = await database.db.query<{ all: string }>(
      'select wallet_keys::text as all from wallet_keys',
    )
    expect(text?.all).not.toContain(Buffer.from(privateKey).toString('hex').slice(0, 16))
    await expect(
      openEnvelope(keyProvider, envelopeOf(row), `cowry/wallet-key/v1/${newId()}`),
    ).rejects.toThrow()
  })

  test('is unique', async () => {
    await open()
    await expect(
      database.db.query(
        "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed) values (gen_random_uuid(), '', 'env', '', '')",
      ),
    ).rejects.toThrow('wallet_keys_current')
  })

  test('that does not exist yet is a 503 with a retry time', async () => {
    await expect(currentWalletKey(database.db)).rejects.toMatchObject({
      status: 503,
      error: 'wallet_key_missing',
      retryAfterSeconds: 2,
    })
  })
})

describe('a key pair that cannot be opened', () => {
  const failure = async (provider = keyProvider) => {
    const error = await open(database.db, provider).then(
      () => 'it was opened',
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    expect(await rows()).toHaveLength(1)
    return messageOf(error)
  }
  beforeEach(() => open())

  test('because SEED_KEY differs is reported, and no new one is created', async () => {
    const wrong = envKeyProvider(new Secret(Buffer.alloc(32, 22).toString('base64')))
    expect(await failure(wrong)).toBe(
      'the wallet key cannot be opened: SEED_KEY is not the one it was sealed with',
    )
  })

  test('because another provider sealed it is reported with both names', async () => {
    await database.db.query("update wallet_keys set provider = 'aws-kms'")
    expect(await failure()).toBe(
      'the wallet key cannot be opened: it is sealed by the key provider "aws-kms"; "env" is configured',
    )
  })

  test('because its row was changed is not replaced', async () => {
    await database.db.query('update wallet_keys set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)')
    expect(await failure()).toBe('the wallet key cannot be opened: its row was changed')
  })

  test('because its public key was replaced is reported', async () => {
    await database.db.query('update wallet_keys set public_key = $1', [
      Buffer.from(x25519.keygen().publicKey),
    ])
    expect(await failure()).toMatch(/^the public key of wallet key [0-9a-f-]+ was changed$/)
  })
})

test('a wallet sealed to a deleted key is refused, naming the key', async () => {
  const opener = await open()
  const deletedKey = newId()
  await expect(opener.open({ ...owner, keyId: deletedKey, sealed: Buffer.alloc(100) })).rejects.toThrow(
    `wallet key ${deletedKey} does not exist`,
  )
})

test('a public key changed while the treasury runs is detected, and so is a foreign key pair', async () => {
  const opener = await open()
  await expect(opener.verify()).resolves.toBeUndefined()
  const [own] = await rows()
  await database.db.query('update wallet_keys set public_key = $1', [Buffer.from(x25519.keygen().publicKey)])
  await expect(opener.verify()).rejects.toThrow(`the public key of wallet key ${own?.id} was changed`)
  await database.db.query('update wallet_keys set public_key = $1, retired_at = now()', [own?.public_key])
  await expect(opener.verify()).resolves.toBeUndefined()
  await database.db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed) values (gen_random_uuid(), $1, 'env', 'x', 'x')",
    [Buffer.from(x25519.keygen().publicKey)],
  )
  await expect(opener.verify()).rejects.toThrow('the wallet key cannot be opened')
})
