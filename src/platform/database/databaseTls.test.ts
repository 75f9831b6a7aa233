import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { readConfig, readConfigOf } from '../config.ts'
import { explained, postgresAddress, TlsRefused } from './databaseTls.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowry-ca-'))
afterAll(() => rmSync(folder, { recursive: true }))
const ca = join(folder, 'ca.pem')
writeFileSync(ca, 'an authority')

test('an authority counts for every URL of the database, in commands and in parts, and for nothing more', () => {
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'WORKER_DATABASE_URL'] as const
  const env = {
    DATABASE_CA_FILE: ca,
    DATABASE_URL: 'postgresql://cowry:p%40w@db:5432/cowry?sslmode=disable',
    DATABASE_DIRECT_URL: 'postgresql://db/cowry',
    WORKER_DATABASE_URL: 'postgresql://worker@db/cowry',
    REDIS_URL: 'redis://redis',
  }
  for (const config of [readConfig([...names, 'REDIS_URL'], env), readConfigOf('worker', [...names, 'REDIS_URL'], env)]) {
    for (const name of names) {
      const { searchParams } = new URL(config[name] ?? '')
      expect([name, searchParams.getAll('sslmode'), searchParams.get('sslrootcert')]).toEqual([name, ['verify-full'], ca])
    }
    expect(config.REDIS_URL).toBe(env.REDIS_URL)
  }
  expect(readConfig(names, { ...env, DATABASE_CA_FILE: '' })).toMatchObject({ DATABASE_URL: env.DATABASE_URL })
})

test('a URL without TLS stays as it is', () => {
  for (const url of ['postgresql://db/cowry', 'postgresql://db/cowry?sslmode=disable', 'postgresql://db/cowry?sslmode=require&uselibpqcompat=true'])
    expect(postgresAddress(url)).toEqual({ connectionString: url })
})

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])('sslmode=%s is TLS with the authority, for pg and Sequelize alike', (mode) => {
  const { connectionString, ssl } = postgresAddress(`postgresql://cowry:p%40w@10.0.0.5/cowry?sslmode=${mode}&sslrootcert=${ca}&options=-c%20a`)
  expect([connectionString, ssl?.ca]).toEqual(['postgresql://cowry:p%40w@10.0.0.5/cowry?options=-c%20a', 'an authority'])
})

test('failures of TLS are explained, also as Sequelize wraps them; others are not', () => {
  const failure = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  for (const error of [failure, { parent: failure }])
    expect(explained(error, 'postgresql://db:5432/x')).toEqual(
      new TlsRefused(
        'The certificate of Postgres at db:5432 is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): DATABASE_CA_FILE must name the authority that signed it',
        failure.code,
        error,
      ),
    )
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(explained(away, 'postgresql://db/x')).toBe(away)
})
