import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createMigrator, type Migration } from './migrator.ts'

// Triggers are added to members while the version before adds and changes some: it is waited for, not broken,
// and its later changes are followed.

const name = '0262-notifications'
let database: TestDatabase
const business = newId()
const migrator = () =>
  createMigrator(database.db, {
    migrations: [{ name, load: async () => (await import(`./${name}.ts`)) as Migration }],
  })

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, business)
  await migrator().down()
})
afterAll(() => database?.drop())

/** As the version before does. @returns the account */
async function addMember(role: string, db: Pick<TestDatabase['db'], 'query'> = database.db): Promise<string> {
  const account = newId()
  await db.query('insert into accounts (id, email, name, password_hash) values ($1, $2, $2, $3)', [
    account,
    `${account}@example.com`,
    'none',
  ])
  await db.query('insert into members (business_id, account_id, role) values ($1, $2, $3)', [
    business,
    account,
    role,
  ])
  return account
}

const kindsOf = async (account: string) => {
  const rows = await database.db.query<{ kind: string }>(
    'select kind from notification_choices where business_id = $1 and account_id = $2 order by kind',
    [business, account],
  )
  return rows.map(({ kind }) => kind)
}
const ofOwners = ['endpoint_failing', 'payout_failed']

test('owners get their mails, whenever the version before adds them: before the step, while it waits, and after', async () => {
  const earlier = await addMember('owner')
  const { waiting, meanwhile } = await database.db.tx(async (tx) => {
    const meanwhile = await addMember('owner', tx)
    const waiting = migrator().up()
    await waitFor('the step to wait for this transaction', async () => {
      const [lock] = await database.db.query(
        "select 1 from pg_locks where relation = 'members'::regclass and not granted",
      )
      return lock !== undefined
    })
    return { waiting, meanwhile }
  })
  expect(await waiting).toEqual([name])
  const later = await addMember('owner')
  const viewer = await addMember('viewer')
  for (const owner of [earlier, meanwhile, later]) expect(await kindsOf(owner)).toEqual(ofOwners)
  expect(await kindsOf(viewer)).toEqual([])
  await database.db.query("update members set role = 'owner' where account_id = $1", [viewer])
  expect(await kindsOf(viewer)).toEqual(ofOwners)
  await database.db.query('delete from members where account_id = $1', [viewer])
  expect(await kindsOf(viewer)).toEqual([])
})
