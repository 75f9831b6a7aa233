import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { tokenAsset } from '../src/ledger/entry.ts'
import { post } from '../src/ledger/post.ts'
import { newId } from '../src/platform/ids.ts'
import { runScript } from '../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { documentedUrl } from '../test/support/operatorCommands.ts'

/** The operator's command, as npm runs it. */

let database: TestDatabase
const run = (...args: string[]) =>
  runScript('ledger', args, () => ({ DATABASE_URL: documentedUrl('commands/ledger.ts', database.url) }))

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('closes the ledger, lists closes, verifies, and ends with 1 where something does not agree', async () => {
  const { db } = database
  expect(await run('closes')).toMatchObject({
    code: 0,
    out: 'The ledger was not closed yet: a worker closes it daily.\n',
  })
  const businessId = newId()
  await insertBusiness(db, businessId)
  const asset = tokenAsset('ethereum', 'USDC')
  const postings = [
    { account: { name: 'deposits:ethereum', businessId: null, asset } as const, amount: 5n },
    { account: { name: 'available', businessId, asset } as const, amount: -5n },
  ]
  await db.tx((tx) =>
    post(tx, [{ kind: 'test', businessId, cause: { kind: 'adjustment', id: newId() }, step: 1, postings }]),
  )
  expect(await run('close')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^close 1 {2}.* 1 entries of 1 {2}[0-9a-f]{64} {2}sound\n {2}ethereum: never compared\nNo differences\.\n$/,
    ),
  })
  expect(await run('closes')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^close 1 .* sound\n {2}ethereum: never compared\n$/),
  })

  await db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query('update ledger_balances set balance = 6 where balance = 5 and not can_be_negative')
  })
  const found = `balance  available ${asset} of business ${businessId}: expected 5, found 6\n`
  expect(await run('verify')).toMatchObject({ code: 1, out: found })
  expect(await run('close')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`1 difference\n  ethereum: never compared\n${found}`),
  })
  expect(await run('closes', '2')).toMatchObject({ code: 1, out: found })
  expect(await run('closes', '1')).toMatchObject({ code: 0, out: 'No differences.\n' })
  expect(await run('closes', '99')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('there is no close 99'),
  })
})
