import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { readConfig, readConfigOf } from '../config.ts'
import { isDatabaseAway } from './databaseAway.ts'
import { explained, postgresAddress, TlsRefusedError } from './databaseTls.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowry-ca-'))
afterAll(() => rmSync(folder, { recursive: true }))
const ca = join(folder, 'ca.pem')
writeFileSync(ca, 'an authority')

test('an authority counts for every URL of the database, in commands and in parts, and for nothing more', () => {
  const names = [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_REPLICA_URL',
    'API_DATABASE_URL',
    'WORKER_DATABASE_URL',
  ] as const
  const env = {
    DATABASE_CA_FILE: ca,
    DATABASE_URL: 'postgresql://cowry:p%40w@db:5432/cowry?sslmode=disable',
    DATABASE_DIRECT_URL: 'postgresql://db/cowry',
    DATABASE_REPLICA_URL: 'postgresql://standby/cowry',
    API_DATABASE_URL: 'postgresql://api@db/cowry',
    WORKER_DATABASE_URL: 'postgresql://worker@db/cowry',
    REDIS_URL: 'redis://redis',
  }
  const parts = (['api', 'worker'] as const).map((part) => readConfigOf(part, [...names, 'REDIS_URL'], env))
  for (const config of [readConfig([...names, 'REDIS_URL'], env), ...parts]) {
    for (const name of names) {
      const { searchParams } = new URL(config[name] ?? '')
      expect([name, searchParams.getAll('sslmode'), searchParams.get('sslrootcert')]).toEqual([
        name,
        ['verify-full'],
        ca,
      ])
    }
    expect(config.REDIS_URL).toBe(env.REDIS_URL)
  }
  expect(readConfig(names, { ...env, DATABASE_CA_FILE: '' })).toMatchObject({
    DATABASE_URL: env.DATABASE_URL,
  })
})

test('a URL without TLS stays as it is', () => {
  for (const url of [
    'postgresql://db/cowry',
    'postgresql://db/cowry?sslmode=disable',
    'postgresql://db/cowry?sslmode=require&uselibpqcompat=true',
  ])
    expect(postgresAddress(url)).toEqual({ connectionString: url })
})

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s is TLS with the authority, for pg and Sequelize alike',
  (mode) => {
    const { connectionString, ssl } = postgresAddress(
      `postgresql://cowry:p%40w@10.0.0.5/cowry?sslmode=${mode}&sslrootcert=${ca}&options=-c%20a`,
    )
    expect([connectionString, ssl?.ca]).toEqual([
      'postgresql://cowry:p%40w@10.0.0.5/cowry?options=-c%20a',
      'an authority',
    ])
  },
)

test.each(['ssl=true', 'ssl=0', 'ssl=no-verify'])(
  '%s next to the mode takes nothing from the check',
  (word) => {
    const { connectionString, ssl } = postgresAddress(
      `postgresql://db/cowry?${word}&sslmode=verify-full&sslrootcert=${ca}`,
    )
    expect([connectionString, ssl]).toEqual(['postgresql://db/cowry', { ca: 'an authority' }])
  },
)

test.each(['sslrootcert=system', 'sslrootcert=system&sslmode=verify-full'])(
  '%s is TLS with the authorities of the system',
  (words) => {
    expect(postgresAddress(`postgresql://db/cowry?${words}`)).toEqual({
      connectionString: 'postgresql://db/cowry',
      ssl: {},
    })
  },
)

test.each([
  ['CERT_HAS_EXPIRED', /certificate of Postgres at db:5432 has expired.*: renew it/],
  ['CERT_NOT_YET_VALID', /certificate of Postgres at db:5432 is not valid yet: check the clock/],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    /certificate of Postgres at db:5432 is not for this name: .* renew it with db$/,
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    /^TLS to Postgres at db:5432 failed \(ERR_SSL_WRONG_VERSION_NUMBER\): of OpenSSL$/,
  ],
])('%s has its own cure, and is the database being away for a process that runs', (code, sentence) => {
  const refused = explained(Object.assign(new Error('of OpenSSL'), { code }), 'postgresql://db:5432/x')
  expect(refused).toMatchObject({ message: expect.stringMatching(sentence), tlsCode: code })
  expect([
    isDatabaseAway(refused),
    isDatabaseAway(new Error('a request failed', { cause: refused })),
  ]).toEqual([true, true])
})

test('failures of TLS are explained, also as Sequelize wraps them; others are not', () => {
  const failure = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  for (const error of [failure, { parent: failure }])
    expect(explained(error, 'postgresql://db:5432/x')).toEqual(
      new TlsRefusedError(
        'The certificate of Postgres at db:5432 is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): DATABASE_CA_FILE must name the authority that signed it',
        failure.code,
        error,
      ),
    )
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(explained(away, 'postgresql://db/x')).toBe(away)
})
