import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type LocalPostgres, startPostgres } from '../../scripts/local/postgres.ts'
import { waitFor } from './waitFor.ts'

/** A second Postgres that replicates the first, until it is cut off. */
export interface Standby extends LocalPostgres {
  /** Waits until it has all of the primary's data. */
  caughtUp(): Promise<void>
  /** Stops the replication. */
  cutOff(): Promise<void>
  promote(): Promise<void>
}

/**
 * By a base backup and streaming, as Postgres' documentation describes ("Making a Base Backup Using the Low
 * Level API").
 * @param name of its folder, next to that of the primary
 */
export async function startStandby(primary: LocalPostgres, home: string, name = 'standby'): Promise<Standby> {
  const data = join(primary.place, name)
  const backup = new pg.Client({ connectionString: primary.url('postgres') })
  await backup.connect()
  await backup.query("select pg_backup_start('standby', true)")
  execFileSync('cp', ['-a', primary.data, data])
  const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await backup.end()
  rmSync(join(data, 'postmaster.pid'))
  rmSync(join(data, 'postmaster.opts'), { force: true })
  const { uid, gid } = statSync(primary.data)
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(data, name), text)
    chownSync(join(data, name), uid, gid)
  }
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url('postgres')}'\n`)
  const standby = await startPostgres({ home, data, durable: false })
  const ask = async <T extends pg.QueryResultRow>(at: LocalPostgres, sql: string): Promise<T | undefined> => {
    const client = new pg.Client({ connectionString: at.url('postgres') })
    await client.connect()
    try {
      return (await client.query<T>(sql)).rows[0]
    } finally {
      await client.end()
    }
  }
  return {
    ...standby,
    async caughtUp() {
      // Commits do not wait for the disk: this writes the rest.
      await ask(primary, 'checkpoint')
      const at = await ask<{ lsn: string }>(primary, 'select pg_current_wal_lsn() as lsn')
      await waitFor(
        'the standby',
        async () =>
          (await ask<{ is: boolean }>(standby, `select pg_last_wal_replay_lsn() >= '${at?.lsn}' as is`))?.is,
      )
    },
    async cutOff() {
      await ask(standby, "alter system set primary_conninfo = ''")
      await ask(standby, 'select pg_reload_conf()')
      await waitFor(
        'no stream',
        async () => (await ask(standby, 'select 1 from pg_stat_wal_receiver')) === undefined,
      )
    },
    async promote() {
      await ask(standby, 'select pg_promote()')
    },
  }
}
