import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createMigrator, type Migration } from './migrator.ts'

// A check is replaced by a wider one while the version before goes on: its roles stay valid, and its
// transactions are waited for, not broken.

const name = '0220-cashiers'
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

async function addMember(role: string, db: Pick<TestDatabase['db'], 'query'> = database.db) {
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
}

test('members of the version before are added while the roles get one more; only then a cashier may be one', async () => {
  await expect(addMember('cashier')).rejects.toThrow('members_role_check')
  const taken = await database.db.tx(async (tx) => {
    await addMember('viewer', tx)
    const waiting = migrator().up()
    await waitFor('the step to wait for this transaction', async () => {
      const [lock] = await database.db.query(
        "select 1 from pg_locks where relation = 'members'::regclass and not granted",
      )
      return lock !== undefined
    })
    return { waiting }
  })
  expect(await taken.waiting).toEqual([name])
  for (const role of ['owner', 'developer', 'viewer', 'cashier']) await addMember(role)
  await expect(addMember('guest')).rejects.toThrow('members_role_check')
  await migrator().down()
  expect(await database.db.query("select 1 from members where role = 'cashier'")).toEqual([])
  await expect(addMember('cashier')).rejects.toThrow('members_role_check')
})
