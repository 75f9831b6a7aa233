import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { mnemonicToEntropy, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openModelDb } from '../platform/database/modelDb.ts'
import { messageOf } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'
import { envKeyProvider } from './keyProvider.ts'
import { openSeed } from './seed.ts'

const keyText = Buffer.alloc(32, 21).toString('base64')
const keyProvider = envKeyProvider(new Secret(keyText))
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.query('delete from seeds')
})

const hex = (seed: Secret<Uint8Array>) => Buffer.from(seed.reveal()).toString('hex')
interface SeedRow {
  provider: string
  wrapping_key: string | null
  wrapped_key: Buffer
  sealed: Buffer
}
const rows = () => database.db.query<SeedRow>('select * from seeds')

describe('the seed', () => {
  test('is created by the first call, has 64 bytes, and stays the same', async () => {
    const made = await openSeed({ db: database.db, keyProvider })
    expect(made.reveal()).toHaveLength(64)
    expect(hex(await openSeed({ db: database.db, keyProvider }))).toBe(hex(made))
    expect(await rows()).toHaveLength(1)
  })

  test('is the same for all concurrent first calls', async () => {
    const dbs = Array.from({ length: 6 }, () => openModelDb(database.url, 1))
    try {
      for (let round = 0; round < 5; round++) {
        await database.db.query('delete from seeds')
        const seeds = await Promise.all(dbs.map((db) => openSeed({ db, keyProvider })))
        expect(new Set(seeds.map(hex)).size).toBe(1)
        expect(await rows()).toHaveLength(1)
      }
    } finally {
      await Promise.all(dbs.map((db) => db.close()))
    }
  })

  test('differs between deployments', async () => {
    const one = await openSeed({ db: database.db, keyProvider })
    await database.db.query('delete from seeds')
    expect(hex(await openSeed({ db: database.db, keyProvider }))).not.toBe(hex(one))
  })

  test('is derived by BIP-39 from the 24 words whose entropy is stored, so that the words restore it', async () => {
    // A BIP-39 vector: its phrase and its seed with an empty passphrase.
    const phrase =
      'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold'
    expect(validateMnemonic(phrase, wordlist)).toBe(true)
    const envelope = await sealEnvelope(
      keyProvider,
      new Secret<Uint8Array>(mnemonicToEntropy(phrase, wordlist)),
      'cowry/seed/v1',
    )
    await database.db.query(
      'insert into seeds (id, provider, wrapped_key, sealed) values (gen_random_uuid(), $1, $2, $3)',
      ['env', envelope.wrappedKey, envelope.sealed],
    )
    expect(hex(await openSeed({ db: database.db, keyProvider }))).toBe(
      Buffer.from(mnemonicToSeedSync(phrase)).toString('hex'),
    )
  })
})

describe('the stored row', () => {
  test('holds neither the entropy, nor the phrase, nor the seed, nor the sealing key', async () => {
    const seed = await openSeed({ db: database.db, keyProvider })
    const [row] = await rows()
    if (!row) throw new Error('no row')
    const entropy = (
      await openEnvelope(
        keyProvider,
        {
          provider: row.provider,
          wrappingKey: row.wrapping_key,
          wrappedKey: row.wrapped_key,
          sealed: row.sealed,
        },
        'cowry/seed/v1',
      )
    ).reveal()
    expect(entropy).toHaveLength(32)
    const [text] = await database.db.query<{ all: string }>(
      "select encode(convert_to(seeds::text, 'UTF8'), 'escape') as all from seeds",
    )
    const stored = `${text?.all} ${row.wrapped_key.toString('hex')} ${row.sealed.toString('hex')} ${row.sealed.toString('latin1')}`
    for (const secret of [entropy, seed.reveal(), Buffer.from(keyText, 'base64')]) {
      const bytes = Buffer.from(secret)
      for (const form of ['hex', 'base64', 'latin1'] as const)
        expect(stored).not.toContain(bytes.toString(form))
      // Nor half of it.
      expect(stored).not.toContain(bytes.subarray(0, bytes.length / 2).toString('hex'))
    }
    for (const word of ['mnemonic', 'abandon']) expect(stored).not.toContain(word)
  })
})

describe('a seed that cannot be opened', () => {
  const failure = async (provider = keyProvider) => {
    const error = await openSeed({ db: database.db, keyProvider: provider }).then(
      () => 'it was opened',
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    return messageOf(error)
  }

  test('because SEED_KEY differs is reported, and no new one is created', async () => {
    await openSeed({ db: database.db, keyProvider })
    const wrong = Buffer.alloc(32, 22).toString('base64')
    const message = await failure(envKeyProvider(new Secret(wrong)))
    expect(message).toBe('the seed cannot be opened: SEED_KEY is not the one it was sealed with')
    expect(await rows()).toHaveLength(1)
  })

  test('because another provider sealed it is reported with both names', async () => {
    await openSeed({ db: database.db, keyProvider })
    await database.db.query("update seeds set provider = 'aws-kms'")
    const message = await failure()
    expect(message).toContain('"aws-kms"')
    expect(message).toContain('"env"')
  })

  test('because its row was changed is not replaced', async () => {
    await openSeed({ db: database.db, keyProvider })
    await database.db.query('update seeds set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)')
    await failure()
    expect(await rows()).toHaveLength(1)
  })

  test('cannot be joined by a second one', async () => {
    await openSeed({ db: database.db, keyProvider })
    await expect(
      database.db.query(
        "insert into seeds (id, provider, wrapped_key, sealed) values (gen_random_uuid(), 'env', '\\x00', '\\x00')",
      ),
    ).rejects.toThrow('only_one')
    await expect(
      database.db.query(
        "insert into seeds (id, only_one, provider, wrapped_key, sealed) values (gen_random_uuid(), false, 'env', '\\x00', '\\x00')",
      ),
    ).rejects.toThrow('only_one')
  })
})
