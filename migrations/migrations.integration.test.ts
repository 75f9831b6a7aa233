import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { migrationNames, requireMigrated } from './migrated.ts'
import { createMigrator } from './migrator.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** The whole schema as sorted text; without weekly partitions, which depend on the time of creation. */
async function schema(): Promise<string[]> {
  const rows = await database.db.query<{ part: string }>(
    `select format('%s.%s %s %s default %s', table_name, column_name, data_type, is_nullable, column_default) as part from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
     order by 1`,
  )
  return rows.map(({ part }) => part).filter((part) => !/_p\d{8}/.test(part))
}

test('every migration goes forward and back, one step at a time and all at once, to the same schema', async () => {
  const migrator = createMigrator(database.db)
  const newest = await schema()
  expect(newest.length).toBeGreaterThan(100)
  for (const name of migrationNames.toReversed()) {
    await migrator.down()
    await expect(requireMigrated(database.db)).rejects.toThrow(name)
    await migrator.up({ step: 1 })
    expect(await schema()).toEqual(newest)
    await migrator.down()
    newest.length = 0
    newest.push(...(await schema()))
  }
  expect(newest.filter((part) => !part.includes('migrations'))).toEqual([])
  await migrator.up()
  await expect(requireMigrated(database.db)).resolves.toBeUndefined()
})

test('a database migrated by a newer version is refused', async () => {
  await database.db.query("insert into migrations (name) values ('9999-future')")
  await expect(requireMigrated(database.db)).rejects.toThrow('newer version: 9999-future')
})
