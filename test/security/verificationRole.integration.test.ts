import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { recordAudit, systemActor } from '../../src/audit/recordAudit.ts'
import { aboutNothing, type EventType, recordEvents } from '../../src/events/recordEvents.ts'
import { type Account, platformAccount } from '../../src/ledger/account.ts'
import { dollars, type Entry } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { type Db, openDb, type Tx } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createVerification } from '../../src/verification/createVerification.ts'
import { endVerification } from '../../src/verification/endVerification.ts'
import { sandboxVerifier } from '../../src/verification/sandboxVerifier.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { addCredit, madeContext, setPrice } from '../support/madeVerifications.ts'
import { urlAs } from '../support/template.ts'

/**
 * The host that reads files of the public, if it were taken over: its database role adds nothing that is not
 * about verifications.
 */

let database: TestDatabase
let host: Db
let api: Db
let businessId: string
let other: string
/** Of `businessId`, with its price held. */
let open: string
const price = 1000n

beforeAll(async () => {
  // Sequelize logs every failed commit to the console; here they are meant to fail.
  jest.spyOn(console, 'warn').mockImplementation(() => {})
  database = await createTestDatabase(4)
  host = openDb(urlAs('verification', database.url), 2)
  api = openDb(urlAs('api', database.url), 2)
  await setPrice(database.db, 'NG', 'passport', price)
  businessId = await business()
  other = await business()
  open = (await verification()).id
})
afterAll(async () => {
  await Promise.all([host?.close(), api?.close()])
  await database?.drop()
})

async function business(): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id, 'test')
  await addCredit(database.db, id, 10n * price)
  return id
}

const verification = () =>
  createVerification(
    madeContext(host, sandboxVerifier),
    { actor: systemActor('test'), businessId },
    { requestId: newId(), country: 'NG', idType: 'passport', idNumber: 'A1' },
  )

test('it holds, takes and returns credit, and records events', async () => {
  const [taken, returned] = [await verification(), await verification()]
  expect(await host.tx((tx) => endVerification(tx, taken.id, { status: 'completed' }))).toBe(true)
  expect(
    await host.tx((tx) =>
      endVerification(tx, returned.id, { status: 'error', reasonCode: 'provider_unavailable' }),
    ),
  ).toBe(true)
})

const of = (name: 'available' | 'credit' | 'credit_held', owner = businessId): Account => ({
  name,
  businessId: owner,
  asset: dollars,
})
const fees = platformAccount('fees', dollars)
const entry = (kind: string, from: Account, to: Account, more: Partial<Entry> = {}): Entry => ({
  ...{ kind, businessId, cause: { kind: 'verification', id: open }, step: 2 },
  postings: [
    { account: from, amount: 1n },
    { account: to, amount: -1n },
  ],
  ...more,
})
const posted = (made: () => Entry) => (tx: Tx) => post(tx, [made()])
const recorded = (type: string) => async (tx: Tx) =>
  recordEvents(tx, businessId, [{ type: type as EventType, data: {}, about: aboutNothing }])

describe('it cannot add', () => {
  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    [
      'a top-up of credit',
      posted(() =>
        entry('adjustment', platformAccount('capital', dollars), of('credit'), {
          cause: { kind: 'adjustment', id: newId() },
        }),
      ),
    ],
    ['money to a balance', posted(() => entry('verification.returned', of('credit_held'), of('available')))],
    ['credit from fees', posted(() => entry('verification.returned', fees, of('credit')))],
    [
      'credit of another business',
      posted(() => entry('verification.returned', of('credit_held'), of('credit', other))),
    ],
    [
      'an entry for another business',
      posted(() =>
        entry('verification.returned', of('credit_held', other), of('credit', other), { businessId: other }),
      ),
    ],
    [
      'an entry without a verification',
      posted(() =>
        entry('verification.held', of('credit'), of('credit_held'), {
          cause: { kind: 'verification', id: newId() },
        }),
      ),
    ],
    ['an entry of another kind', posted(() => entry('payout.held', of('credit_held'), fees))],
    ['an event of another area', recorded('payout.completed')],
    [
      'an audit row of another area',
      (tx) => recordAudit(tx, systemActor('test'), { businessId, action: 'member.added', target: null }),
    ],
  ])('%s', async (_name, add) => {
    const commit = (db: Db) => db.tx(add as (tx: Tx) => Promise<unknown>)
    await expect(commit(host)).rejects.toMatchObject({
      message: expect.stringMatching(/a role of the verification host alone may not add this/),
    })
  })

  test('postings to an entry of another cause', async () => {
    const [id] = await database.db.query<{ id: string }>(
      "select id from ledger_entries where kind = 'adjustment' and business_id = $1",
      [businessId],
    )
    const add = `insert into ledger_postings (entry_id, account_id, asset, amount)
      select $1, a.id, a.asset, case a.name when 'credit' then 1 else -1 end from ledger_accounts a where business_id = $2 and name like 'credit%'`
    await expect(host.query(add, [id?.id, businessId])).rejects.toThrow(/may not add this to ledger_postings/)
  })
})

test('it cannot change the price, the owner or the kind of a request', async () => {
  for (const change of [
    'price = 1',
    `business_id = '${other}'`,
    "kind = 'decision'",
    "request_id = 'x'",
    'created_at = now()',
  ])
    await expect(host.query(`update verifications set ${change} where id = $1`, [open])).rejects.toThrow(
      /permission denied/,
    )
})

test('other roles are not limited so', async () => {
  await api.tx((tx) =>
    post(tx, [
      entry('adjustment', platformAccount('capital', dollars), of('credit'), {
        cause: { kind: 'adjustment', id: newId() },
        step: 1,
      }),
    ]),
  )
  await api.tx(recorded('payout.completed'))
})
