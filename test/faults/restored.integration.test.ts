import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { restoreMargin } from '../../src/custody/depositPool.ts'
import { type ModelDb, openModelDb } from '../../src/platform/database/modelDb.ts'
import { runCommand, runScript } from '../support/command.ts'
import { effectsOn } from '../support/outcome.ts'
import { createOwnDatabase, type OwnDatabase } from '../support/ownDatabase.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { type Standby, startStandby } from '../support/standby.ts'
import { appKey, roleUrls } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

/** A separate database with a standby; the primary is lost while the standby lags. */

const amount = 5_000_000n
let own: OwnDatabase
let standby: Standby
let stack: Stack
let promoted: ModelDb

beforeAll(async () => {
  own = await createOwnDatabase('restored')
  stack = await createStack({
    database: own.database(),
    separate: true,
    env: { POOL_TARGET: '20', POOL_LOW_WATER: '15' },
  })
  standby = await startStandby(own.server(), own.home)
  promoted = openModelDb(standby.url('cowry'), 2)
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await promoted?.close()
  await standby?.stop()
  await own?.remove()
})

const ask = () =>
  stack.api<SessionBody & { error: string; message: string }>('POST', '/pos/sessions', {
    chain: 'ethereum',
    token: 'USDC',
    amount: '5',
  })

test('a standby is no copy that was restored from a backup', async () => {
  const at = {
    DATABASE_URL: own.server().url('cowry'),
    RESTORED_DATABASE_URL: standby.url('cowry'),
    APP_KEY: appKey,
  }
  const words = ['check', '--to', new Date().toISOString()]
  expect(await runScript('backup', words, () => at)).toMatchObject({
    code: 2,
    err: expect.stringContaining('leads to a standby'),
  })
})

test('after the promotion of a lagging standby no address is issued twice, and payments to sessions that it has are credited once', async () => {
  const known = [
    await stack.createSession({ amount: '5' }),
    await stack.createSession({ amount: '5' }),
  ] as const
  await standby.caughtUp()
  await standby.cutOff()
  const lost = [await stack.createSession({ amount: '5' }), await stack.createSession({ amount: '5' })]
  await stack.send(known[0].address, amount)
  await stack.mine(4)
  await stack.sessionIs(known[0].id, 'paid')

  const programs = ['api', 'worker', 'indexer', 'treasury'] as const
  process.kill(own.server().pid, 'SIGKILL')
  await own.server().ended
  for (const name of programs) await stack.stop(name)
  await stack.send(known[1].address, amount)
  await stack.mine(4)
  await standby.promote()
  const at = { DATABASE_URL: standby.url('cowry'), ...roleUrls(standby.url('cowry')) }
  for (const name of ['api', 'worker', 'indexer'] as const) await stack.start(name, at)

  // The addresses of lost sessions count as free here.
  const free = () =>
    promoted.query<{ address: string; index: string }>(
      'select address, index from deposit_addresses where taken_at is null',
    )
  const addresses = async () => (await free()).map(({ address }) => address)
  expect(await addresses()).toEqual(expect.arrayContaining(lost.map(({ address }) => address.toLowerCase())))
  const refused = await ask()
  expect(refused).toMatchObject({
    status: 503,
    body: { error: 'no_deposit_address', message: expect.stringContaining('The database was restored') },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await stack.api('GET', `/pos/sessions/${lost[0]?.id}`)).status).toBe(404)

  // The runbook.
  const intents = (...args: string[]) => runCommand(stack, 'intents', args, at)
  expect(await intents('restored')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/the database was restored: nothing is signed or sent.*0 open\n$/s),
  })
  await stack.start('treasury', at)
  await waitFor('new addresses', async () => (await free()).length >= 15)
  for (const { index } of await free()) expect(Number(index)).toBeGreaterThanOrEqual(restoreMargin)
  const next = await stack.createSession({ amount: '5' })
  for (const { address } of [...known, ...lost]) expect(next.address).not.toBe(address)
  await stack.send(next.address, amount)
  await stack.mine(4)
  const paid = [...known, next].map(({ id }) => id)
  for (const id of paid) await stack.sessionIs(id, 'paid')
  const effects = await effectsOn({ db: promoted, receiver: stack.receiver }, paid)
  expect(await intents('reconciled')).toMatchObject({
    code: 0,
    out: 'acknowledged: everything is signed and sent again\n',
  })
  expect((await intents('restored')).out).toContain('nothing is held back')
  expect(await stack.db.query('select 1').catch(() => 'the primary is down')).toBe('the primary is down')
  for (const id of paid) expect(effects.get(id)).toMatchObject({ detections: 1, credits: 1, status: 'paid' })
})
