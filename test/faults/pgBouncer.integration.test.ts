import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase } from '../support/database.ts'
import { type Pooler, startPooler } from '../support/pooler.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { roleUrls } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { startRollingLoad } from './rollingLoad.ts'

/**
 * Every process reaches Postgres through PgBouncer in transaction mode; DATABASE_DIRECT_URL leads to
 * Postgres.
 */

let pooler: Pooler
let stack: Stack
beforeAll(async () => {
  const database = await createTestDatabase()
  pooler = await startPooler(database.url)
  const env = { ...roleUrls(pooler.url), DATABASE_DIRECT_URL: database.url }
  stack = await createStack({ database, processes: ['treasury', 'cowry'], env })
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await pooler?.close()
})

test('payments are credited, transfers and payouts leave, events come: each once, and no request fails', async () => {
  const before = await pooler.transactions()
  await waitFor(
    'the first block',
    async () => (await stack.db.query('select 1 from chain_cursors where height is not null')).length > 0,
  )
  const load = await startRollingLoad(stack, `http://127.0.0.1:${stack.processes.get('api')?.port()}`)
  for (const _ of Array(3)) await load.goesOn()
  await load.finish()
  expect(load.failures).toEqual([])
  expect(load.sessions.length).toBeGreaterThan(5)
  await load.expectOnce()
  expect((await pooler.transactions()) - before).toBeGreaterThan(10 * load.sessions.length)
}, 180_000)
