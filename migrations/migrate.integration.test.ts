import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openDb } from '../src/platform/database/db.ts'
import { type Failpoint, processFailpoints } from '../src/platform/failpoints.ts'
import { type CommandOutcome, type RunningCommand, startScript } from '../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { migrationNames, requireMigrated } from './migrated.ts'
import { createMigrator, type Migrator, type NamedMigration } from './migrator.ts'

// `npm run cowry -- migrate` as an operator runs it: killed, twice at once, and with a step that fails halfway.

let database: TestDatabase
const proofs = mkdtempSync(join(tmpdir(), 'cowry-migrate-'))
/** The steps that most tests take: forward again from here. */
const first = '0042-transaction-manager'
const ahead = migrationNames.slice(migrationNames.indexOf(first))
const second = ahead[1] ?? ''
const running: RunningCommand[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  await createMigrator(database.db).up()
  await createMigrator(database.db).down({ to: first })
})
afterEach(() => {
  for (const each of running.splice(0)) each.kill('SIGKILL')
})
afterAll(async () => {
  await database?.drop()
  rmSync(proofs, { recursive: true })
})

function start(args: readonly string[] = [], env: Record<string, string> = {}): RunningCommand {
  const started = startScript('migrate', args, () => ({ DATABASE_URL: database.url, ...env }))
  running.push(started)
  return started
}
const migrate = (args?: readonly string[]): Promise<CommandOutcome> => start(args).outcome
const steps = ({ out }: { out: string }) =>
  out.split('\n').flatMap((line) => /^(?:done|back) {2}(\S+)$/.exec(line)?.[1] ?? [])
const recorded = async () =>
  (await database.db.query<{ name: string }>('select name from migrations order by name')).map(
    ({ name }) => name,
  )

/** Runs it until it is killed or frozen at a failpoint. */
async function reach(
  name: Failpoint,
  args: readonly string[],
  signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
): Promise<RunningCommand> {
  const proof = join(proofs, `${name} ${args} ${signal}`)
  const doomed = start(args, {
    COWRY_FAILPOINT: name,
    COWRY_FAILPOINT_SIGNAL: signal,
    COWRY_FAILPOINT_PROOF: proof,
  })
  await waitFor(name, async () => existsSync(proof))
  if (signal === 'SIGKILL') expect((await doomed.outcome).code).toBeNull()
  expect(readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  return doomed
}

test.each(processFailpoints.migrating)(
  'SIGKILL at %s: the next run takes the rest of the steps, forward and back',
  async (name) => {
    await reach(name, [])
    const taken = (await recorded()).filter((each) => ahead.includes(each))
    expect(taken).toEqual(name === 'migrate.step-recorded' ? [first] : [])
    const next = await migrate()
    expect([next.code, next.err]).toEqual([0, ''])
    expect(steps(next)).toEqual(ahead.slice(taken.length))
    await requireMigrated(database.db)

    await reach(name, ['down'])
    const left = name === 'migrate.step-recorded' ? ahead.slice(0, -1) : ahead
    expect((await recorded()).filter((each) => ahead.includes(each))).toEqual(left)
    const back = await migrate(['down'])
    expect([back.code, back.err, steps(back)]).toEqual([0, '', [left.at(-1)]])
    await migrate()
    await requireMigrated(database.db)
  },
)

test('of two at once the second reports that it waits, then finds nothing to do', async () => {
  const frozen = await reach('migrate.step-applied', [], 'SIGSTOP')
  const other = start()
  await waitFor('its message', async () =>
    other.output.out.includes('another process migrates this database: waiting for it'),
  )
  expect(await recorded()).not.toContain(first)
  frozen.kill('SIGCONT')
  const [one, two] = await Promise.all([frozen.outcome, other.outcome])
  expect([one.code, one.err, steps(one)]).toEqual([0, '', ahead])
  expect([two.code, two.err, steps(two)]).toEqual([0, '', []])
  expect(two.out).toContain('nothing to migrate')
  await requireMigrated(database.db)
})

test('without the lock, too, each step is taken by one of two, forward and back', async () => {
  const db = [openDb(database.url, 2), openDb(database.url, 2)]
  const both = async (work: (migrator: Migrator) => Promise<string[]>) =>
    (await Promise.all(db.map((each) => work(createMigrator(each))))).flat()
  try {
    expect((await both((migrator) => migrator.up())).sort()).toEqual(ahead)
    await requireMigrated(database.db)
    expect((await both((migrator) => migrator.down({ to: first }))).sort()).toEqual(ahead)
  } finally {
    for (const each of db) await each.close()
  }
})

test('a step that fails halfway is named with its cause, and leaves nothing; the next run resumes there', async () => {
  // 0042 renames this table, then 0043 adds the column among others.
  await database.db.query('alter table outgoing add cosigners text[]')
  const failed = await migrate()
  expect([failed.code, steps(failed)]).toEqual([1, [first]])
  expect(failed.err).toContain(
    `${second} failed (up): column "cosigners" of relation "intents" already exists`,
  )
  expect(failed.err).toContain('Nothing of it is left')
  expect((await recorded()).filter((name) => ahead.includes(name))).toEqual([first])
  const columns = async () => {
    const rows = await database.db.query<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = 'intents'::regclass",
    )
    return rows.map(({ name }) => name).filter((name) => ['calls', 'cosigners', 'spends'].includes(name))
  }
  expect(await columns()).toEqual(['cosigners'])

  await database.db.query('alter table intents drop cosigners')
  const next = await migrate()
  expect([next.code, next.err, steps(next)]).toEqual([0, '', ahead.slice(1)])
  expect((await columns()).sort()).toEqual(['calls', 'cosigners', 'spends'])
})

test('a step of several statements that fails at the last leaves nothing of the first', async () => {
  const step: NamedMigration = {
    name: '9998-halfway',
    load: async () => ({
      async up(db) {
        await db.query('create table half ()')
        await db.query('create table webhook_queue ()')
      },
      down: async () => {},
    }),
  }
  const migrator = createMigrator(database.db, { migrations: [step] })
  await expect(migrator.up()).rejects.toThrow(
    '9998-halfway failed (up): relation "webhook_queue" already exists',
  )
  expect(await database.db.query("select to_regclass('half') as half")).toEqual([{ half: null }])
  expect(await recorded()).not.toContain(step.name)
})

test('a step outside a transaction runs again when it was interrupted, and is recorded once it is complete', async () => {
  let interrupted = true
  const step: NamedMigration = {
    name: '9997-concurrently',
    load: async () => ({
      inTransaction: false,
      async up(db) {
        await db.query('create index concurrently if not exists accounts_of_test on accounts (created_at)')
        if (interrupted) throw new Error('interrupted')
      },
      down: async (db) => void (await db.query('drop index concurrently if exists accounts_of_test')),
    }),
  }
  const migrator = createMigrator(database.db, { migrations: [step] })
  await expect(migrator.up()).rejects.toThrow(
    '9997-concurrently failed (up): interrupted\nIt may be there in part',
  )
  expect(await recorded()).not.toContain(step.name)
  interrupted = false
  expect(await migrator.up()).toEqual([step.name])
  expect(await recorded()).toContain(step.name)
  expect(await migrator.down()).toEqual([step.name])
  expect(await database.db.query("select to_regclass('accounts_of_test') as index")).toEqual([
    { index: null },
  ])
})

test('two that take a step outside a transaction wait for each other, and it runs once', async () => {
  const step: NamedMigration = {
    name: '9992-once',
    load: async () => ({
      inTransaction: false,
      async up(db) {
        await db.query('create table once_of_test ()')
        await db.query('create index concurrently on accounts (created_at)')
      },
      down: async (db) => void (await db.query('drop table once_of_test')),
    }),
  }
  const db = [1, 2, 3].map(() => openDb(database.url, 2))
  const all = async (work: (migrator: Migrator) => Promise<string[]>) =>
    (await Promise.all(db.map((each) => work(createMigrator(each, { migrations: [step] }))))).flat()
  try {
    expect(await all((migrator) => migrator.up())).toEqual([step.name])
    expect(await all((migrator) => migrator.down())).toEqual([step.name])
  } finally {
    for (const each of db) await each.close()
  }
})

test('a process works with steps of a later version that only expand, and with no other', async () => {
  await createMigrator(database.db).up()
  const later = (name: string, expands: boolean): NamedMigration => ({
    name,
    load: async () => ({ expands, up: async () => {}, down: async () => {} }),
  })
  const [added, changed] = [later('9995-later', true), later('9996-later', false)]
  await createMigrator(database.db, { migrations: [added] }).up()
  await requireMigrated(database.db)
  await createMigrator(database.db, { migrations: [changed] }).up()
  await expect(requireMigrated(database.db)).rejects.toThrow('migrated by a newer version: 9996-later')
  await createMigrator(database.db, { migrations: [added, changed] }).down({ to: added.name })
  await requireMigrated(database.db)
})

test('npm run cowry -- migrate of a version leaves what a later one has added: its rights, and the order of its steps', async () => {
  await createMigrator(database.db).up()
  const added: NamedMigration = {
    name: '9994-later',
    load: async () => ({ expands: true, up: async () => {}, down: async () => {} }),
  }
  await createMigrator(database.db, { migrations: [added] }).up()
  await database.db.query('grant select on migrations to public')
  const [up, down] = [await migrate(), await migrate(['down'])]
  expect([up.code, up.out]).toEqual([0, expect.stringContaining('the rights of the roles are left')])
  expect([down.code, down.err]).toEqual([
    2,
    expect.stringContaining('a later version has added steps: 9994-later'),
  ])
  expect(
    await database.db.query("select has_table_privilege('public', 'migrations', 'select') as may"),
  ).toEqual([{ may: true }])
  await createMigrator(database.db, { migrations: [added] }).down()
})

test('the retention of the audit log is stored as it is set, and removed where it is not', async () => {
  const stored = () => database.db.query('select days from audit_retention')
  const [short, set] = [
    await start([], { AUDIT_RETENTION_DAYS: '364' }).outcome,
    await start([], { AUDIT_RETENTION_DAYS: '400' }).outcome,
  ]
  expect([short.code, short.err]).toEqual([2, expect.stringContaining('AUDIT_RETENTION_DAYS')])
  expect([set.code, await stored()]).toEqual([0, [{ days: 400 }]])
  expect([(await migrate()).code, await stored()]).toEqual([0, []])
})

test('a step that only expands gives up where a table is locked for long, and leaves nothing', async () => {
  const step: NamedMigration = {
    name: '9993-locked',
    load: async () => ({
      expands: true,
      up: async (db) => void (await db.query('alter table accounts add of_test text')),
      down: async () => {},
    }),
  }
  await database.db.tx(async (tx) => {
    await tx.query('lock table accounts in access share mode')
    await expect(createMigrator(database.db, { migrations: [step] }).up()).rejects.toThrow(
      'canceling statement due to lock timeout',
    )
  })
  expect(await recorded()).not.toContain(step.name)
})

test('a process reads the records of a database that an earlier version migrated', async () => {
  await createMigrator(database.db).up()
  await database.db.query('alter table migrations drop column expands')
  await requireMigrated(database.db)
  await createMigrator(database.db).up()
})

test('a database that an earlier version migrated goes on: its table of records is the same', async () => {
  const form = () =>
    database.db.query(
      `select attname, format_type(atttypid, atttypmod), attnotnull, (select pg_get_constraintdef(oid) from pg_constraint where conrelid = attrelid and contype = 'p') as key
       from pg_attribute where attrelid = 'migrations'::regclass and attnum > 0 and not attisdropped`,
    )
  const ours = await form()
  await database.db.query('alter table migrations rename to of_ours')
  // As the versions before created it.
  await database.db.query(
    'CREATE TABLE IF NOT EXISTS "migrations" ("name" VARCHAR(255) , PRIMARY KEY ("name"))',
  )
  await database.db.query('insert into migrations select name from of_ours; drop table of_ours')
  expect(steps(await migrate())).toEqual(ahead)
  expect(await form()).toEqual(ours)
})
