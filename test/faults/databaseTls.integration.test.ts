import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type programs, startCowry } from '../../scripts/local/cowryProcess.ts'
import type { LocalPostgres } from '../../scripts/local/postgres.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { type ModelDb, openModelDb } from '../../src/platform/database/modelDb.ts'
import { startTestPostgres } from '../run/testPostgres.ts'
import { type Authority, makeAuthority } from '../support/authority.ts'
import { runScript } from '../support/command.ts'
import { intentEnv } from '../support/intentKeys.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { appKey, roleUrls, seedKey, templateDatabase } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * A Postgres of its own behind TLS: every connection of every process checks the authority and the host name.
 */

const home = mkdtempSync(join(tmpdir(), 'cowry-tls-'))
let postgres: LocalPostgres
let right: Authority
let wrong: Authority
let admin: ModelDb
let stack: Stack

beforeAll(async () => {
  ;[right, wrong] = [makeAuthority(home, 'right'), makeAuthority(home, 'wrong')]
  postgres = await startTestPostgres(home)
  admin = openModelDb(postgres.url(templateDatabase), 3)
  await admin.query('alter system set ssl = on')
  await presents(['127.0.0.1'])
  stack = await createStack({
    database: { url: postgres.url(templateDatabase), db: admin, drop: () => admin.close() },
    separate: true,
    processes: ['treasury', 'api', 'indexer', 'worker', 'verification'],
    env: { DATABASE_CA_FILE: right.ca },
  })
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await postgres?.stop()
  rmSync(home, { recursive: true, force: true })
})

/** The server shows a certificate for these names from its next connection on. */
async function presents(names: readonly string[]): Promise<void> {
  const file = names.join('-')
  const made = right.certificate(file, names)
  const { uid, gid } = statSync(postgres.data)
  for (const [from, to] of [
    [made.cert, 'server.crt'],
    [made.key, 'server.key'],
  ] as const) {
    const path = join(postgres.data, to)
    copyFileSync(from, path)
    chownSync(path, uid, gid)
    chmodSync(path, 0o600)
  }
  await admin.query('select pg_reload_conf()')
  const expected = names.includes('127.0.0.1') ? 'connected' : 'ERR_TLS_CERT_ALTNAME_INVALID'
  await waitFor(`the certificate for ${names}`, async () => (await seenWith(right.ca)) === expected)
}

/** Whether a client of the platform connects, and why not. */
async function seenWith(ca: string): Promise<string | null> {
  const db = openDb(withCa(ca), 1)
  try {
    await db.query('select 1')
    return 'connected'
  } catch (error) {
    const { tlsCode, code } = error as { tlsCode?: string; code?: string }
    return tlsCode ?? code ?? null
  } finally {
    await db.close()
  }
}

const withCa = (ca: string) => `${postgres.url(templateDatabase)}?sslmode=verify-full&sslrootcert=${ca}`

test('with the right authority a payment passes through all processes, and no connection is without TLS', async () => {
  const session = await stack.createSession({ amount: '5' })
  await stack.send(session.address, 5_000_000n)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  const connections = await admin.query<{ name: string; role: string; ssl: boolean }>(
    `select application_name as name, usename as role, ssl from pg_stat_activity join pg_stat_ssl using (pid) where usename like 'cowry\\_%'`,
  )
  expect(connections.filter(({ ssl }) => !ssl)).toEqual([])
  expect([...new Set(connections.map(({ role }) => role))].sort()).toEqual([
    'cowry_api',
    'cowry_indexer',
    'cowry_treasury',
    'cowry_verification',
    'cowry_worker',
  ])
  // Those that listen and lead, too.
  expect(connections.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cowry relay', 'cowry indexer ethereum']),
  )
})

const all: readonly [keyof typeof programs, readonly string[]][] = [
  ['api', []],
  ['worker', []],
  ['treasury', []],
  ['verification', []],
  ['indexer', ['ethereum']],
]

/** @returns the exit code and log of each program */
const endings = (ca: string) =>
  Promise.all(
    all.map(async ([program, args]) => {
      const logFile = join(home, `${program}-${ca.split('/').at(-1)}.log`)
      const env = {
        ...roleUrls(postgres.url(templateDatabase)),
        ...intentEnv,
        DATABASE_CA_FILE: ca,
        REDIS_URL: 'redis://127.0.0.1:9',
        APP_KEY: appKey,
        SEED_KEY: seedKey,
        VERIFY_KEY: Buffer.alloc(32, 9).toString('base64'),
        ENVIRONMENT: 'test',
        PORT: '0',
        VERIFY_PORT: '0',
        ETHEREUM_RPC_URLS: 'http://127.0.0.1:9',
      }
      const started = startCowry(program, program, args, env, logFile)
      await started.ended
      return { program, exitCode: started.exitCode(), log: readFileSync(logFile, 'utf8') }
    }),
  )

const migrate = (ca: string) =>
  runScript('migrate', [], () => ({ DATABASE_URL: postgres.url(templateDatabase), DATABASE_CA_FILE: ca }))

test('with a wrong authority every process and a command end with a sentence that says what to set', async () => {
  for (const { program, exitCode, log } of await endings(wrong.ca))
    expect([program, exitCode, log]).toEqual([
      program,
      2,
      expect.stringMatching(/certificate of Postgres at 127\.0\.0\.1:\d+ is not trusted .*DATABASE_CA_FILE/),
    ])
  expect(await migrate(wrong.ca)).toMatchObject({ code: 1, err: expect.stringContaining('is not trusted') })
  expect(await migrate(right.ca)).toMatchObject({ code: 0 })
})

test('a certificate for another name is refused, also where the address is a number and the name is localhost', async () => {
  await presents(['localhost', 'db.example'])
  for (const open of [openDb, openModelDb]) {
    const db = open(withCa(right.ca), 1)
    await expect(db.query('select 1')).rejects.toThrow('is not for this name')
    await db.close()
  }
})

test('a server without TLS is refused: nothing is sent in plain text', async () => {
  await admin.query('alter system set ssl = off')
  await admin.query('select pg_reload_conf()')
  await waitFor('a server without TLS', async () => {
    return (await seenWith(right.ca)) === 'ERR_TLS_MISSING'
  })
  expect(await migrate(right.ca)).toMatchObject({ code: 1, err: expect.stringContaining('offers no TLS') })
})
