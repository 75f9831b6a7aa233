import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { applyGrants, loginRoles } from '../../migrations/applyGrants.ts'
import { functionGrants, tableGrants } from '../../migrations/grants.ts'
import { createMigrator } from '../../migrations/migrator.ts'
import { databaseRolesPage } from '../../scripts/databaseRolesPage.ts'
import { type Db, openDb, usualTimes } from '../../src/platform/database/db.ts'
import { type DatabaseRole, databaseRoles } from '../../src/platform/database/grants.ts'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import { createTestDatabase, type TestDatabase, testDatabaseUrl } from '../support/database.ts'
import { urlAs } from '../support/template.ts'

/** Tries every statement on every table, and calls every function, with the role of each process. */

interface Table {
  name: string
  isPartition: boolean
  columns: { name: string; type: string }[]
}

let database: TestDatabase
let tables: Table[]
let as: Record<DatabaseRole, Db>

beforeAll(async () => {
  database = await createTestDatabase()
  tables = await database.db.query<Table>(
    `select relname as name, relispartition as "isPartition",
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
     from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  // In a separate schema, with the caller's rights. Errors other than "permission denied" come after the
  // right was checked.
  await database.db.query(`
    create schema tests;
    create function tests.tried(statements text[]) returns boolean[] language plpgsql as $$
    declare
      able boolean[] := '{}';
      statement text;
    begin
      foreach statement in array statements loop
        begin
          execute statement;
          able := able || true;
        exception when others then
          able := able || (sqlerrm not like 'permission denied for%');
        end;
      end loop;
      return able;
    end $$;
    grant usage on schema tests to public;
    grant execute on function tests.tried(text[]) to public;
  `)
  as = Object.fromEntries(
    databaseRoles.map((role) => [role, openDb(urlAs(role, database.url), 1) as Db]),
  ) as Record<DatabaseRole, Db>
})
afterAll(async () => {
  await Promise.all(Object.values(as ?? {}).map((each) => each.close()))
  await database?.drop()
})

const operations = ['select', 'insert', 'update', 'delete'] as const
type Rights = Record<(typeof operations)[number], string[]>

/** Statements on no row: each operation per column; for a whole table under `*`. */
function statementsOf({ name, columns }: Table): [operation: keyof Rights, column: string, sql: string][] {
  return [
    ...columns.flatMap(({ name: column, type }): [keyof Rights, string, string][] => [
      ['select', column, `select "${column}" from ${name} limit 0`],
      [
        'insert',
        column,
        `insert into ${name} ("${column}") overriding system value select null::${type} where false`,
      ],
      ['update', column, `update ${name} set "${column}" = default where false`],
    ]),
    ['delete', '*', `delete from ${name} where false`],
  ]
}

/** The rights of a role on a table, found by trying. */
async function tried(db: Db, table: Table): Promise<Rights> {
  const statements = statementsOf(table)
  const [row] = await db.query<{ able: boolean[] }>('select tests.tried($1) as able', [
    statements.map(([, , sql]) => sql),
  ])
  const rights: Rights = { select: [], insert: [], update: [], delete: [] }
  for (const [i, [operation, column]] of statements.entries())
    if (row?.able[i]) rights[operation].push(column)
  return rights
}

/** The rights declared in grants.ts. */
function declared(given: string | undefined, { columns }: Table): Rights {
  const rights: Rights = { select: [], insert: [], update: [], delete: [] }
  for (const [, operation, list] of (given ?? '').matchAll(
    /(select|insert|update|delete)(?: \(([^)]*)\))?/g,
  )) {
    const all = operation === 'delete' ? ['*'] : columns.map(({ name }) => name)
    rights[operation as keyof Rights] =
      list === undefined ? all : all.filter((column) => list.split(', ').includes(column))
  }
  return rights
}

test('every table has a line in migrations/grants.ts', () => {
  const without = tables
    .filter(({ name, isPartition }) => !isPartition && tableGrants[name] === undefined)
    .map(({ name }) => name)
  if (without.length > 0)
    throw new Error(
      `Declare in migrations/grants.ts what each process may do with ${without.join(', ')}; then npm run generate`,
    )
  expect(Object.keys(tableGrants).filter((name) => !tables.some((table) => table.name === name))).toEqual([])
})

test('docs/database-roles.md shows the grants', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/database-roles.md'), 'utf8')).toBe(
    databaseRolesPage(),
  )
})

describe.each(databaseRoles)('the role of %s', (role) => {
  test('has exactly the granted rights on each table', async () => {
    const found: Record<string, Rights> = {}
    for (const table of tables) found[table.name] = await tried(as[role], table)
    expect(found).toEqual(
      Object.fromEntries(
        tables.map((table) => [table.name, declared(tableGrants[table.name]?.[role], table)]),
      ),
    )
  })

  test('calls only granted functions', async () => {
    const functions = await database.db.query<{ name: string; call: string }>(
      `select proname || '(' || array_to_string(types, ',') || ')' as name,
         format('select %I(%s)', proname, (select string_agg('null::' || t, ', ') from unnest(types) t)) as call
       from (select proname, array(select format_type(t, null) from unnest(proargtypes) with ordinality a(t, n) order by n) as types
             from pg_proc where pronamespace = current_schema()::regnamespace) f order by 1`,
    )
    const callable: string[] = []
    for (const { name, call } of functions) {
      const tx = as[role].tx(async (tx) => {
        await tx.query(call)
        throw new Error('rolled back')
      })
      await tx.catch((error: Error) => {
        if (!error.message.startsWith(`permission denied for function ${name.slice(0, name.indexOf('('))}`))
          callable.push(name)
      })
    }
    expect(callable).toEqual(
      Object.keys(functionGrants)
        .filter((name) => functionGrants[name]?.includes(role))
        .sort(),
    )
  })

  test('cannot truncate tables, use sequences, create objects, or read files of the server', async () => {
    const sequences = await database.db.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'",
    )
    expect(sequences.length).toBeGreaterThan(0)
    const asked = [
      ...tables.map(({ name }) => `truncate ${name}`),
      ...sequences.map(({ name }) => `select nextval('${name}')`),
    ]
    const [row] = await as[role].query<{ able: boolean[] }>('select tests.tried($1) as able', [asked])
    expect(asked.filter((_, i) => row?.able[i])).toEqual([])
    const refused = [
      'create table planted ()',
      'create function planted() returns integer language sql as $$ select 1 $$',
      'create schema planted',
      "select pg_read_file('postgresql.conf')",
      "copy (select 1) to program 'true'",
      'create role planted',
      `alter role cowry_${role} superuser`,
      `set role cowry_${role === 'api' ? 'treasury' : 'api'}`,
      'select rolpassword from pg_authid',
    ]
    const done: string[] = []
    for (const sql of refused)
      await as[role].query(sql).then(
        () => done.push(sql),
        (error: Error) => {
          if (!/permission denied|must be|Only roles with/.test(error.message)) throw error
        },
      )
    expect(done).toEqual([])
  })

  test('can listen, notify and take advisory locks', async () => {
    await as[role].tx(async (tx) => {
      await tx.query('listen cowry_outbox')
      await tx.query("select pg_notify('cowry_outbox', '')")
      await tx.query('select pg_advisory_xact_lock(1)')
    })
  })
})

test('the role of an indexer reads only where and until when sessions wait, and cannot move a watch or import to another business', async () => {
  const able = async (statements: string[]) => {
    const [row] = await as.indexer.query<{ able: boolean[] }>('select tests.tried($1) as able', [statements])
    return statements.filter((_, i) => row?.able[i])
  }
  const notForIt = [
    'business_id',
    'token',
    'amount_expected',
    'amount_received',
    'local_amount',
    'fee',
    'label',
    'reference',
    'metadata',
  ]
  expect(await able(notForIt.map((column) => `select ${column} from pos_sessions limit 0`))).toEqual([])
  const moved = ['address', 'business_id', 'subject_id', 'purpose', 'chain', 'removed_at'].map(
    (column) => `update watches set ${column} = null where false`,
  )
  expect(await able([...moved, 'update monitoring_imports set business_id = null where false'])).toEqual([])
})

describe('security definer functions', () => {
  test('have a fixed search path in which temporary tables come last', async () => {
    const rows = await database.db.query<{ name: string; settings: string[] | null }>(
      'select proname as name, proconfig as settings from pg_proc where prosecdef and pronamespace = current_schema()::regnamespace order by 1',
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'add_audit_months',
      'add_webhook_partition',
      'add_webhook_week',
      'apply_ledger_postings',
      'approval_kept',
      'check_unbalanced_entry',
      'drop_audit_month',
      'drop_webhook_week',
      'drop_webhook_week_unless_open',
      'follow_role',
      'lock_ledger_balances',
      'note_taken',
      'offer_mailed_reset',
      'open_ledger_balances',
      'present_identity',
    ])
    for (const { settings } of rows) expect(settings).toContain('search_path=public, pg_temp')
  })

  test('are closed to callers without a right to them', async () => {
    const rows = await database.db.query(
      `select proname as name from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner)))
       where prosecdef and pronamespace = current_schema()::regnamespace and prorettype <> 'trigger'::regtype and grantee = 0`,
    )
    expect(rows).toEqual([])
  })

  test('drop only weeks that ended at least a week ago, and only partitions by week', async () => {
    const [monday] = await database.db.query<{ day: string }>(
      "select to_char(date_trunc('week', now() at time zone 'UTC'), 'YYYY-MM-DD') as day",
    )
    const drop = (table: string) =>
      as.worker.query('select drop_webhook_week($1, $2::date)', [table, monday?.day])
    await expect(drop('webhook_attempts')).rejects.toThrow(/a week after its end/)
    await expect(drop('audit_log')).rejects.toThrow(/has no weeks/)
    const unlessOpen = (table: string) =>
      as.worker.query('select drop_webhook_week_unless_open($1, $2::date)', [table, monday?.day])
    await expect(unlessOpen('webhook_attempts')).rejects.toThrow(/a week after its end/)
    await expect(unlessOpen('audit_log')).rejects.toThrow(/has no weeks/)
  })

  test('drop no entry of the audit log where the owner of the tables has set no retention', async () => {
    const months = () =>
      database.db.query("select relname from pg_class where relname ~ '^audit_log_p' order by 1")
    // The tables were made in the month before, where the suite runs at the start of one.
    await as.worker.query('select add_audit_months()')
    const before = await months()
    expect(before.length).toBeGreaterThan(2)
    expect(await as.worker.query('select add_audit_months() as made, drop_audit_month() as dropped')).toEqual(
      [{ made: 0, dropped: null }],
    )
    expect(await months()).toEqual(before)
  })
})

describe('npm run cowry -- migrate, by an owner that is not a superuser', () => {
  const suffix = randomBytes(4).toString('hex')
  const owner = { name: `owner_${suffix}`, password: `of-${suffix}` }
  const name = `owned_${suffix}`
  let url: string
  let urls: Record<DatabaseRole, string>
  const withUser = (user: string, password: string) =>
    Object.assign(new URL(url), { username: user, password }).href

  beforeAll(async () => {
    url = (await testDatabaseUrl())(name)
    await database.db.query(`create role ${owner.name} login createrole password '${owner.password}'`)
    await database.db.query(`create database ${name} owner ${owner.name}`)
    url = withUser(owner.name, owner.password)
    urls = Object.fromEntries(
      databaseRoles.map((role) => [role, withUser(`${role}_${suffix}`, `pw-${role}`)]),
    ) as Record<DatabaseRole, string>
    const db = openModelDb(url, 2, { ...usualTimes, statementMs: 0 })
    await createMigrator(db).up()
    await db.close()
  })
  afterAll(async () => {
    await database.db.query(`drop database if exists ${name} with (force)`)
    for (const role of databaseRoles) await database.db.query(`drop role if exists ${role}_${suffix}`)
    await database.db.query(`drop role ${owner.name}`)
  })
  const apply = async (given = urls) => {
    const db = openDb(url, 2)
    await loginRoles(url, given)
      .then((roles) => applyGrants(db, roles))
      .finally(() => db.close())
  }
  const asks = async (at: string, sql: string) => {
    const db = openDb(at, 1)
    return db
      .query(sql)
      .then(
        (rows) => rows.length,
        (error: Error) => error.message,
      )
      .finally(() => db.close())
  }

  test('creates the roles with their passwords, also when repeated', async () => {
    await apply()
    await apply()
    for (const role of databaseRoles)
      expect(await asks(urls[role], 'select name from migrations')).toBeGreaterThan(0)
    expect(await asks(urls.indexer, 'select 1 from intents')).toBe('permission denied for table intents')
    expect(await asks(urls.api, 'create temporary table planted ()')).toMatch(/permission denied/)
    expect(await asks(urlAs('api', url), 'select 1')).toMatch(/permission denied for database/)
  })

  test('revokes manual grants, to a process and to public', async () => {
    const db = openDb(url, 1)
    await db.query(
      `grant all on seeds to public; grant update on audit_log to api_${suffix}; grant execute on function drop_webhook_week(text, date) to public`,
    )
    await db.close()
    expect(await asks(urls.indexer, 'select 1 from seeds')).toBe(0)
    await apply()
    expect(await asks(urls.indexer, 'select 1 from seeds')).toBe('permission denied for table seeds')
    expect(await asks(urls.api, 'update audit_log set action = action where false')).toBe(
      'permission denied for table audit_log',
    )
    expect(await asks(urls.api, "select drop_webhook_week('events', '2020-01-06')")).toBe(
      'permission denied for function drop_webhook_week',
    )
  })

  test('gives a role the current password of its URL', async () => {
    const changed = { ...urls, worker: withUser(`worker_${suffix}`, 'another one') }
    await apply(changed)
    expect(await asks(changed.worker, 'select 1')).toBe(1)
    expect(await asks(urls.worker, 'select 1')).toMatch(/password authentication failed/)
    await apply()
  })

  test("refuses a shared role, the owner's role, and a role with more rights than a process needs", async () => {
    await expect(apply({ ...urls, worker: urls.api })).rejects.toThrow(
      'WORKER_DATABASE_URL has the role of another process',
    )
    await expect(apply({ ...urls, api: url })).rejects.toThrow(
      'API_DATABASE_URL has the role of DATABASE_URL',
    )
    await database.db.query(`alter role treasury_${suffix} createdb`)
    await expect(apply()).rejects.toThrow(
      /treasury_\w+ of treasury is a superuser or may create roles or databases/,
    )
    await database.db.query(
      `alter role treasury_${suffix} nocreatedb; grant pg_read_all_data to treasury_${suffix}`,
    )
    await expect(apply()).rejects.toThrow(/member of pg_read_all_data/)
    await database.db.query(`revoke pg_read_all_data from treasury_${suffix}`)
    await apply()
  })
})
