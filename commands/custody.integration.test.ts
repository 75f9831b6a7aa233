import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { rollingFailpoints, sealedColumns } from '../src/capabilities.ts'
import { envKeyProvider, type KeyProvider } from '../src/custody/keyProvider.ts'
import { readPhrase } from '../src/custody/phrase.ts'
import { createRequestKey } from '../src/custody/requestKey.ts'
import { opensWith, sealText } from '../src/custody/sealText.ts'
import { readEntropy } from '../src/custody/seed.ts'
import { openWalletKeys, storeWalletKey } from '../src/custody/walletKeys.ts'
import { AppKey } from '../src/platform/appKey.ts'
import type { RollingFailpoint } from '../src/platform/failpoints.ts'
import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { verifyKeyColumns } from '../src/verification/dataKey.ts'
import { newDataKey, readPerson, sealPerson } from '../src/verification/personData.ts'
import { newUploadKey, openUploadKey } from '../src/verification/uploads/uploadKey.ts'
import { type AwsKmsStandIn, kmsKeys, startAwsKms } from '../test/partners/awsKms.ts'
import { type CommandOutcome, runScript } from '../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { documentedUrl } from '../test/support/operatorCommands.ts'
import { seedKey } from '../test/support/template.ts'

/** `npm run cowry -- custody`, as npm runs it, with the database role that it has in Docker. */

const awsCredentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const home = mkdtempSync(join(tmpdir(), 'cowry-custody-'))
const newKey = () => randomBytes(32).toString('base64')
let database: TestDatabase
let kms: AwsKmsStandIn

beforeAll(async () => {
  ;[database, kms] = await Promise.all([createTestDatabase(), startAwsKms(awsCredentials)])
})
afterAll(async () => {
  await Promise.all([database?.drop(), kms?.close()])
  rmSync(home, { recursive: true, force: true })
})

const custody = (args: string[], env: Record<string, string> = {}, input?: string): Promise<CommandOutcome> =>
  runScript('custody', args, (file) => ({ DATABASE_URL: documentedUrl(file, database.url), ...env }), input)
const audited = async (action: string) =>
  (
    await database.db.query<{ after: object }>('select after from audit_log where action = $1 order by at', [
      action,
    ])
  ).map(({ after }) => after)
const toKms = {
  SEED_KEY_PROVIDER: 'aws-kms',
  KMS_KEY_ARN: kmsKeys[0],
  AWS_ACCESS_KEY_ID: awsCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: awsCredentials.secretAccessKey,
}
const atKms = () => ({ ...toKms, AWS_ENDPOINT_URL_KMS: kms.url })

/** Runs a roll that is killed at its first step, and the next that finishes it. */
async function killedThenFinished(
  name: RollingFailpoint,
  args: string[],
  env: Record<string, string>,
  halfway: () => Promise<void>,
) {
  const proof = join(home, `${name}-${newId()}`)
  const killed = await custody(args, { ...env, COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof })
  expect([killed.code, readFileSync(proof, 'utf8')]).toEqual([null, `${name}\n`])
  await halfway()
  reached.add(name)
  return custody(args, env)
}
const reached = new Set<string>()
afterAll(() => expect([...reached].sort()).toEqual([...rollingFailpoints].sort()))

describe('roll-seed-key', () => {
  const ctx = (keyProvider: KeyProvider) => ({ db: database.db, keyProvider })
  const known = envKeyProvider(new Secret(seedKey))
  const wrappedBy = async () =>
    (
      await database.db.query<{ provider: string; rows: number }>(
        `select provider, count(*)::int as rows from (select provider from seeds union all select provider from wallet_keys) s group by 1 order by 1`,
      )
    ).map(({ provider, rows }) => `${provider}: ${rows}`)

  test('to AWS KMS and back, each killed halfway and finished: the same seed opens, and nothing opens with the key before', async () => {
    await openWalletKeys(ctx(known))
    await database.db.query('update wallet_keys set retired_at = now()')
    await storeWalletKey(ctx(known), database.db)
    const phrase = (await readPhrase(ctx(known)))?.reveal()
    const rows = 1 + (await database.db.query('select 1 from wallet_keys')).length

    const there = await killedThenFinished(
      'custody.seed-key-rolled',
      ['roll-seed-key'],
      { ...atKms(), SEED_KEY: seedKey },
      async () => {
        expect(await wrappedBy()).toEqual(['aws-kms: 1', `env: ${rows - 1}`])
      },
    )
    expect(there).toMatchObject({ code: 0, err: '' })
    expect(there.out).toBe(
      `${rows - 1} rows were sealed with aws-kms ${kmsKeys[0]}\nevery row is sealed with it: the key before is not needed any more\n`,
    )
    expect(await wrappedBy()).toEqual([`aws-kms: ${rows}`])
    await expect(readEntropy(ctx(known))).rejects.toThrow('the seed cannot be opened')
    await expect(openWalletKeys(ctx(known))).rejects.toThrow('the wallet key cannot be opened')

    const other = newKey()
    const back = await killedThenFinished(
      'custody.seed-key-rolled',
      ['roll-seed-key'],
      { ...atKms(), SEED_KEY_PROVIDER: 'env', SEED_KEY: other },
      async () => expect(await wrappedBy()).toEqual([`aws-kms: ${rows - 1}`, 'env: 1']),
    )
    expect(back).toMatchObject({ code: 0, err: '' })
    const now = envKeyProvider(new Secret(other))
    expect((await readPhrase(ctx(now)))?.reveal()).toBe(phrase)
    await openWalletKeys(ctx(now))
    await expect(readEntropy(ctx(known))).rejects.toThrow('the seed cannot be opened')
    // Back to the key of the other tests.
    expect((await custody(['roll-seed-key'], { SEED_KEY: seedKey, SEED_KEY_PREVIOUS: other })).code).toBe(0)
    const purposes = new Set(
      kms.trail.map(({ encryptionContext }) => encryptionContext.purpose?.replace(/[0-9a-f-]{36}$/, 'id')),
    )
    expect(purposes).toEqual(new Set(['cowry/seed/v1', 'cowry/wallet-key/v1/id']))
    expect(await audited('seed_key.rolled')).toHaveLength(3)
    for (const { out, err } of [there, back])
      for (const secret of [seedKey, other, awsCredentials.secretAccessKey])
        expect(out + err).not.toContain(secret)
  })

  test('without the key before changes nothing, and names each row', async () => {
    const before = await database.db.query('select * from seeds')
    const { code, out, err } = await custody(['roll-seed-key'], { SEED_KEY: newKey() })
    expect([code, out]).toEqual([1, expect.stringMatching(/^0 rows were sealed/)])
    expect(err).toMatch(/^seeds \S+ stays as it is: SEED_KEY is not the one it was sealed with\n/)
    expect(await database.db.query('select * from seeds')).toEqual(before)
  })

  test('while AWS KMS denies it changes nothing, and reports what to allow', async () => {
    kms.mode = 'deny'
    const { code, err } = await custody(['roll-seed-key'], { ...atKms(), SEED_KEY: seedKey })
    kms.mode = 'ok'
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('AWS KMS denies the request: allow kms:Encrypt and kms:Decrypt on the key'),
    ])
    expect(await wrappedBy()).toEqual([expect.stringMatching(/^env: /)])
  })
})

describe('roll-app-key', () => {
  const [before, after] = [newKey(), newKey()]
  const both = { APP_KEY: after, APP_KEY_PREVIOUS: before }
  const opened = async (key: string) => {
    let count = 0
    for (const { table, column, context } of sealedColumns) {
      const rows = await database.db.query<{ id: string; sealed: Buffer }>(
        `select id, ${column} as sealed from ${table} where ${column} is not null`,
      )
      count += rows.filter(({ id, sealed }) => opensWith(new Secret(key), context(id), sealed)).length
    }
    return count
  }

  test('is killed halfway and finished: every row opens with the new key, and no row with the one before', async () => {
    const rows = 7
    await createRequestKey({ db: database.db, appKey: new Secret(before) })()
    for (let i = 1; i < rows; i++) {
      const id = newId()
      const context = sealedColumns.find(({ table }) => table === 'signing_keys')?.context ?? String
      await database.db.query('insert into signing_keys (id, sealed, active_at) values ($1, $2, now())', [
        id,
        sealText(new Secret(before), context(id), new Secret('x')),
      ])
    }
    expect([await opened(before), await opened(after)]).toEqual([rows, 0])
    const { code, out, err } = await killedThenFinished(
      'custody.app-key-rolled',
      ['roll-app-key'],
      both,
      async () => expect([await opened(before), await opened(after)]).toEqual([rows - 1, 1]),
    )
    expect([code, err, await opened(before), await opened(after)]).toEqual([0, '', 0, rows])
    for (const { table, column } of sealedColumns) expect(out).toContain(`${table}.${column}: `)
    expect(out).toMatch(
      /every secret is sealed with APP_KEY: take APP_KEY_PREVIOUS out where a process still has it\n$/,
    )
    expect(await audited('app_key.rolled')).toEqual([{ rolled: rows - 1 }])
  })

  test('needs the key before, and names rows that neither key opens', async () => {
    expect(await custody(['roll-app-key'], { APP_KEY: after })).toMatchObject({
      code: 2,
      err: expect.stringContaining('APP_KEY_PREVIOUS is not set'),
    })
    const { code, err } = await custody(['roll-app-key'], { APP_KEY: newKey(), APP_KEY_PREVIOUS: newKey() })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^signing_keys\.sealed of \S+ stays as it is: neither key opens it\n/),
    ])
    expect(await opened(after)).toBe(7)
  })
})

describe('roll-verify-key', () => {
  const [before, after] = [newKey(), newKey()]
  const both = { VERIFY_KEY: after, VERIFY_KEY_PREVIOUS: before }
  const opened = async (key: string) => {
    let count = 0
    for (const { table, column, context } of verifyKeyColumns) {
      const rows = await database.db.query<{ id: string; sealed: Buffer }>(
        `select id, ${column} as sealed from ${table} where ${column} is not null`,
      )
      count += rows.filter(({ id, sealed }) => opensWith(new Secret(key), context(id), sealed)).length
    }
    return count
  }
  const people = 5

  async function storePeople(businessId: string): Promise<string[]> {
    const ids: string[] = []
    await insertBusiness(database.db, businessId, 'Verified', { fee: 0, margin: 0 })
    for (let i = 0; i < people; i++) {
      const id = newId()
      const { dataKey, sealed } = newDataKey(new Secret(before), id)
      await database.db.tx(async (tx) => {
        await tx.query(
          `insert into verifications (id, business_id, request_id, country, id_type, price, data_key) values ($1, $2, $3, 'NG', 'passport', 1, $4)`,
          [id, businessId, `roll-${i}`, sealed],
        )
        for (const { name, sealed } of sealPerson(id, dataKey, { firstName: `Ada ${i}` }))
          await tx.query(
            'insert into verification_fields (verification_id, name, sealed) values ($1, $2, $3)',
            [id, name, sealed],
          )
      })
      ids.push(id)
    }
    return ids
  }

  test('is killed halfway and finished: the keys of people and of uploads open with the new key alone, and data stay readable throughout', async () => {
    const businessId = newId()
    const ids = await storePeople(businessId)
    const upload = newId()
    const file = newUploadKey(new Secret(before), upload)
    await database.db.query(
      "insert into verification_uploads (id, business_id, type, bytes, data_key, verification_id, use) values ($1, $2, 'image/png', 1, $3, $4, 'selfie')",
      [upload, businessId, file.sealed, ids[0]],
    )
    const names = async (key: Secret) => {
      const rows = await database.db.query<{ id: string; key: Buffer }>(
        'select id, data_key as key from verifications order by request_id',
      )
      return Promise.all(
        rows.map(async (row) => (await readPerson(database.db, key, row.id, row.key)).firstName),
      )
    }
    const everyone = Array.from({ length: people }, (_, i) => `Ada ${i}`)
    const { code, out, err } = await killedThenFinished(
      'custody.verify-key-rolled',
      ['roll-verify-key'],
      both,
      async () => {
        expect([await opened(before), await opened(after)]).toEqual([people, 1])
        expect(await names(new AppKey(new Secret(before), new Secret(after)))).toEqual(everyone)
        expect(await names(new AppKey(new Secret(after), new Secret(before)))).toEqual(everyone)
      },
    )
    expect([code, err, await opened(before), await opened(after)]).toEqual([0, '', 0, people + 1])
    expect(await names(new Secret(after))).toEqual(everyone)
    const [row] = await database.db.query<{ key: Buffer }>(
      'select data_key as key from verification_uploads where id = $1',
      [upload],
    )
    expect(openUploadKey(new Secret(after), upload, row?.key ?? Buffer.of()).reveal()).toEqual(
      file.key.reveal(),
    )
    expect(out).toMatch(/verifications\.data_key: \d+ sealed.*\nverification_uploads\.data_key: 1 sealed/)
    expect(await audited('verify_key.rolled')).toEqual([{ rolled: people }])
  })

  test('needs the key before, and names rows that neither key opens', async () => {
    expect(await custody(['roll-verify-key'], { VERIFY_KEY: after })).toMatchObject({
      code: 2,
      err: expect.stringContaining('VERIFY_KEY_PREVIOUS is not set'),
    })
    const { code, err } = await custody(['roll-verify-key'], {
      VERIFY_KEY: newKey(),
      VERIFY_KEY_PREVIOUS: newKey(),
    })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^verifications\.data_key of \S+ stays as it is: neither key opens it\n/),
    ])
    expect(await opened(after)).toBe(people + 1)
  })
})

describe('recover', () => {
  let phrase: string

  beforeAll(async () => {
    phrase =
      (await readPhrase({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }))?.reveal() ??
      ''
    expect(phrase.split(' ')).toHaveLength(24)
  })
  const counts = async () =>
    database.db.query<{ family: string; rows: number; taken: number }>(
      'select family, count(*)::int as rows, count(taken_at)::int as taken from deposit_addresses group by 1 order by 1',
    )

  test('proves with the phrase alone that every address is reached, free and taken, of every family; also without the sealed seed', async () => {
    await database.db.query('update deposit_addresses set taken_at = now() where index % 3 = 0')
    const [seed] = await database.db.query<Record<string, unknown>>('delete from seeds returning *')
    // As people write it: more spaces, capitals, a line break.
    const written = `  ${phrase
      .toUpperCase()
      .replace(' ', '   ')
      .replace(/ (\w+)$/, '\n$1')}\n`
    const { code, out } = await custody(['recover'], {}, written)
    const expected = await counts()
    expect(expected.map(({ family }) => family)).toEqual(['evm', 'solana', 'stellar', 'tron'])
    const total = expected.reduce((sum, { rows }) => sum + rows, 0)
    const lines = expected.map(
      ({ family, rows, taken }) => `${family}: ${rows} addresses checked, ${taken} of them taken\n`,
    )
    expect([code, out]).toEqual([0, `${lines.join('')}the phrase reaches all ${total} addresses\n`])
    const file = join(home, 'phrase')
    writeFileSync(file, phrase)
    expect(await custody(['recover', '--file', file])).toMatchObject({ code: 0, out })
    const columns = Object.keys(seed ?? {})
    const places = columns.map((_, i) => `$${i + 1}`)
    await database.db.query(
      `insert into seeds (${columns.join(', ')}) values (${places.join(', ')})`,
      Object.values(seed ?? {}),
    )
  })

  test('names each address that the phrase does not reach', async () => {
    const other = generateMnemonic(wordlist, 256)
    const total = (await counts()).reduce((sum, { rows }) => sum + rows, 0)
    const wrong = await custody(['recover'], {}, other)
    expect([wrong.code, wrong.out.match(/^not reached: /gm)?.length]).toEqual([1, total])
    expect(wrong.out).toMatch(new RegExp(`the phrase does not reach ${total} of ${total} addresses\n$`))

    // One row of each kind that was changed.
    const stray = '0x00000000000000000000000000000000000000aa'
    await database.db.query("update deposit_addresses set address = $1 where family = 'evm' and index = 7", [
      stray,
    ])
    await database.db.query("update deposit_addresses set path = 'm/0' where family = 'tron' and index = 8")
    await database.db.query(
      "insert into deposit_addresses (family, index, address, path) values ('solana', 3000000000, 'far', 'm')",
    )
    await database.db.query(
      "insert into deposit_addresses (family, index, address, path) values ('unheard-of', 1, 'a', 'm')",
    )
    const { code, out } = await custody(['recover'], {}, phrase)
    expect(code).toBe(1)
    expect(out.match(/^not reached: \S+ \d+/gm)).toEqual(
      ['evm 7', 'solana 3000000000', 'tron 8', 'unheard-of 1'].map((each) => `not reached: ${each}`),
    )
    expect(out).toContain(`not reached: evm 7 ${stray}: the phrase leads to 0x`)
    expect(out).toMatch(new RegExp(`the phrase does not reach 4 of ${total + 2} addresses\n$`))
  })

  test('refuses what is no phrase, and repeats no part of it anywhere', async () => {
    const words = phrase.split(' ')
    const texts = [
      words.slice(0, 23).join(' '),
      [...words.slice(0, 23), 'cowry'].join(' '),
      // The last word ends in the checksum: its neighbour has the same entropy and another checksum.
      [...words.slice(0, 23), wordlist[wordlist.indexOf(words[23] ?? '') ^ 1]].join(' '),
      '',
    ]
    for (const text of texts) {
      const { code, out, err } = await custody(['recover'], {}, text)
      expect([code, out, err]).toEqual([
        2,
        '',
        'this is not a BIP-39 phrase: a word is unknown or missing, or the checksum is wrong\n',
      ])
    }
    const asArgument = await custody(['recover', phrase])
    expect([asArgument.code, asArgument.out, asArgument.err]).toEqual([
      2,
      '',
      expect.stringContaining('Usage: cowry custody recover'),
    ])
    expect(asArgument.err).not.toContain(phrase.split(' ')[0])
  })
})

describe('show-mnemonic', () => {
  const env = { SEED_KEY: seedKey }

  test('writes the phrase to a new file that only its owner reads; the audit log has it; it is the right one', async () => {
    const file = join(home, 'words')
    const shown = await custody(['show-mnemonic', '--file', file], env)
    expect(shown).toMatchObject({ code: 0, err: '' })
    const words = readFileSync(file, 'utf8').trim().split(' ')
    expect([
      statSync(file).mode & 0o777,
      words.length,
      shown.out.includes(words.slice(0, 2).join(' ')),
    ]).toEqual([0o600, 24, false])
    expect(await audited('seed.shown')).toEqual([{ to: 'file' }])
    const proven = await custody(['recover', '--file', file])
    expect(proven.out).toContain('the phrase does not reach 4 of')
    // An existing file stays.
    const again = await custody(['show-mnemonic', '--file', file], env)
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('name a new one')])
    expect(await audited('seed.shown')).toHaveLength(1)
  })

  test('shows nothing in a pipe, or with another key', async () => {
    expect(await custody(['show-mnemonic'], env)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('at a terminal only'),
    })
    const file = join(home, 'never')
    const wrong = await custody(['show-mnemonic', '--file', file], { SEED_KEY: newKey() })
    expect(wrong).toMatchObject({
      code: 1,
      out: '',
      err: 'the seed cannot be opened: SEED_KEY is not the one it was sealed with\n',
    })
    expect(() => statSync(file)).toThrow()
  })
})

describe('after-restore', () => {
  test('declares the copy: nothing is signed or given out, and reconciled refuses until the pool is renewed', async () => {
    const { code, out } = await custody(['after-restore'])
    expect([code, out]).toEqual([0, expect.stringContaining('start the treasury')])
    expect(await audited('database.declared_restored')).toHaveLength(1)
    const intents = (...args: string[]) =>
      runScript('intents', args, (file) => ({ DATABASE_URL: documentedUrl(file, database.url) }))
    const refused = await intents('reconciled')
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('are not renewed yet: start the treasury'),
    ])
    expect(await database.db.query('select 1 from database_identity')).toEqual([])
  })
})

test('a wrong command, or an option that a command does not take, is refused with the usage', async () => {
  for (const args of [
    [],
    ['constructor'],
    ['roll-seed-key', 'now'],
    ['roll-app-key', '--file', 'x'],
    ['recover', '--phrase', 'x'],
  ])
    expect(await custody(args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Usage: cowry custody '),
    })
})
