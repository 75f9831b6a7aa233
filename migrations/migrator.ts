import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Queryable } from '../src/platform/database/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { migrationNames } from './migrated.ts'

/** One step of the database. A module of this folder is one, named as its file. */
export interface Migration {
  up(db: Queryable): Promise<void>
  down(db: Queryable): Promise<void>
  /**
   * False for a step with statements that Postgres refuses in a transaction (`create index concurrently`). It
   * may be interrupted between any two statements, and then runs again from its first: each statement must be
   * safe to repeat.
   */
  inTransaction?: boolean
  /**
   * True for a step that only adds, so that processes of the version before run on with it. A test refuses
   * statements that would break them, or lock a table for long.
   */
  expands?: boolean
}

export interface NamedMigration {
  name: string
  load(): Promise<Migration>
}

/** Steps of this checkout, oldest first. */
const ownMigrations: readonly NamedMigration[] = migrationNames.map((name) => ({
  name,
  load: async () => (await import(`${import.meta.dirname}/${name}.ts`)) as Migration,
}))

export interface Migrator {
  /** Takes the steps that are not recorded. @returns the names of those that it took */
  up(options?: { maxSteps?: number }): Promise<string[]>
  /** Takes the newest step back, or all back to `to`, which is the last. */
  down(options?: { to?: string }): Promise<string[]>
}

type Direction = 'up' | 'down'

/**
 * Each step commits together with its record, so that a step is there exactly if its record is. The record is
 * written first, as a lock: where two migrate at once, the second waits for the row, and then leaves the step
 * out. A step outside a transaction has a lock of its own.
 * @param db of two connections at least, without a limit on the time of a statement
 * @param taken is called after each step
 */
export function createMigrator(
  db: Db,
  {
    migrations = ownMigrations,
    taken = () => {},
  }: { migrations?: readonly NamedMigration[]; taken?: (name: string) => void } = {},
): Migrator {
  async function take(names: readonly NamedMigration[], direction: Direction): Promise<string[]> {
    const took: string[] = []
    for (const each of names) {
      if (!(await takeStep(db, each, direction))) continue
      failpoint('migrate.step-recorded')
      taken(each.name)
      took.push(each.name)
    }
    return took
  }
  /** The steps of this checkout that are recorded, or not. */
  async function split(): Promise<{ recorded: NamedMigration[]; missing: NamedMigration[] }> {
    // The same table as in all versions before, which know its first column alone.
    await db.query('create table if not exists migrations (name varchar(255) primary key)')
    await db.query('alter table migrations add column if not exists expands boolean not null default false')
    const names = new Set(
      (await db.query<{ name: string }>('select name from migrations')).map(({ name }) => name),
    )
    return {
      recorded: migrations.filter(({ name }) => names.has(name)),
      missing: migrations.filter(({ name }) => !names.has(name)),
    }
  }
  return {
    up: async ({ maxSteps } = {}) => take((await split()).missing.slice(0, maxSteps), 'up'),
    async down({ to } = {}) {
      const newestFirst = (await split()).recorded.reverse()
      const last = to === undefined ? 0 : newestFirst.findIndex(({ name }) => name === to)
      if (last === -1) throw new Error(`the database has no step ${to}`)
      return take(newestFirst.slice(0, last + 1), 'down')
    },
  }
}

/** A step that only expands gives up after this time; it is safe to repeat. */
const lockSeconds = 3

/** @returns false if another process took it meanwhile */
async function takeStep(db: Db, { name, load }: NamedMigration, direction: Direction): Promise<boolean> {
  const migration = await load()
  const record = async (at: Queryable) =>
    (
      await at.query(
        direction === 'up'
          ? 'insert into migrations (name, expands) values ($1, $2) on conflict do nothing returning name'
          : 'delete from migrations where name = $1 returning name',
        direction === 'up' ? [name, migration.expands === true] : [name],
      )
    ).length > 0
  try {
    if (migration.inTransaction === false) {
      return await inTurn(db, name, async () => {
        const found = await db.query('select from migrations where name = $1', [name])
        if (found.length > 0 === (direction === 'up')) return false
        await migration[direction](db)
        failpoint('migrate.step-applied')
        return record(db)
      })
    }
    return await db.tx(async (tx) => {
      // Next to running processes: all who need the table would wait behind this step.
      if (migration.expands === true) await tx.query(`set local lock_timeout = '${lockSeconds}s'`)
      if (!(await record(tx))) return false
      await migration[direction](tx)
      failpoint('migrate.step-applied')
      return true
    })
  } catch (error) {
    const left =
      migration.inTransaction === false
        ? 'It may be there in part, and is repeated by the next run'
        : 'Nothing of it is left'
    throw new Error(
      `${name} failed (${direction}): ${messageOf(error)}\n${left}; earlier steps are kept. Remove the cause, then run npm run cowry -- migrate again.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * One process at a time does this. `create index concurrently` waits for all snapshots, so none waits for the
 * lock inside Postgres, and its holder ends the statement that took it, with its snapshot, by another one
 * that needs none.
 */
async function inTurn<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await db.tx(async (lock) => {
      const [turn] = await lock.query<{ mine: boolean }>(
        "select pg_try_advisory_xact_lock(hashtext('cowry-migrate ' || $1)) as mine",
        [name],
      )
      if (!turn?.mine) return null
      await lock.query('set local idle_in_transaction_session_timeout = 0')
      return { result: await work() }
    })
    if (done) return done.result
    await delay(100)
  }
}
