import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { runScript } from '../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { makeBurntTransfer } from '../test/support/madeBridge.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { documentedUrl } from '../test/support/operatorCommands.ts'

/** The operator's command, as npm runs it. */

let database: TestDatabase
const businessId = newId()
const run = (...args: string[]) =>
  runScript('bridge', args, () => ({ DATABASE_URL: documentedUrl('commands/bridge.ts', database.url) }))

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'sender')
})
afterAll(() => database?.drop())

test('lists bridge transfers that have not ended, and ends one whose burn another transaction has replaced', async () => {
  const { db } = database
  const { id } = await makeBurntTransfer(db, businessId)
  const line = new RegExp(`^${id}  .*  ethereum > base  0x\\w+  250 USDC  pending`)
  expect(await run()).toMatchObject({ code: 0, err: '', out: expect.stringMatching(line) })
  expect(await run('unknown')).toMatchObject({ code: 0, out: '0 in all\n' })
  expect(await run('end', id, '--evidence', 'case 14')).toMatchObject({
    code: 2,
    err: expect.stringContaining('only a transfer that waits'),
  })
  await db.query(
    "update intents set status = 'expired', reason = 'sequence_used', next_reconcile_at = null where id = $1",
    [id],
  )
  await db.query("update bridge_transfers set delay = 'burn_unknown' where id = $1", [id])
  expect(await run('unknown')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ {2}pending {2}burn_unknown\n1 in all\n$/),
  })
  const ended = await run('end', id, '--evidence', 'case 14')
  expect(ended).toMatchObject({
    code: 0,
    out: `${id} has failed, and its business ${businessId} is notified: nothing was burnt by it\n`,
  })
  expect(await db.query('select status from bridge_transfers where id = $1', [id])).toEqual([
    { status: 'failed' },
  ])
  expect(await run()).toMatchObject({ code: 0, out: '0 in all\n' })

  await db.query(
    "update bridge_transfers set status = 'completed', error_message = null, unburnt = 'lost' where id = $1",
    [id],
  )
  expect(await run('unburnt')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ {2}completed {2}lost\n1 in all\n$/),
  })
}, 60_000)
