import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startCowry } from '../../scripts/local/cowryProcess.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { intentEnv } from '../support/intentKeys.ts'
import { type Pooler, startPooler } from '../support/pooler.ts'
import { appKey, roleUrls, seedKey } from '../support/template.ts'

/** A connection pooler before Postgres, and no DATABASE_DIRECT_URL. */

const folder = mkdtempSync(join(tmpdir(), 'cowry-pooler-'))
let database: TestDatabase
let pooler: Pooler
beforeAll(async () => {
  database = await createTestDatabase()
  pooler = await startPooler(database.url)
})
afterAll(async () => {
  await pooler?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['api', []],
  ['worker', []],
  ['treasury', []],
  ['indexer', ['ethereum']],
] as const)(
  'the %s ends with the sentence about what to set, and does not run without notifications',
  async (program, args) => {
    const logFile = join(folder, `${program}.log`)
    const env = {
      ...roleUrls(pooler.url),
      ...intentEnv,
      REDIS_URL: 'redis://127.0.0.1:9',
      APP_KEY: appKey,
      SEED_KEY: seedKey,
      ENVIRONMENT: 'test',
      PORT: '0',
      ETHEREUM_RPC_URLS: 'http://127.0.0.1:9',
      RPC_TIMEOUT_MS: '500',
    }
    const started = startCowry(program, program, args, env, logFile)
    await started.ended
    expect([started.exitCode(), readFileSync(logFile, 'utf8')]).toEqual([
      2,
      expect.stringContaining('leads to a connection pooler'),
    ])
  },
)
