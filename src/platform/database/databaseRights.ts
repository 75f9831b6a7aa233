import type { Log } from '../telemetry/log.ts'
import type { Queryable } from './db.ts'

/**
 * Warns when the process connects to the database with a role that may do everything; it should have a role
 * with only the rights it needs.
 */
export async function warnOfRights(db: Queryable, log: Log): Promise<void> {
  const row = await readRole(db)
  if (row?.isOwner)
    log.warn(
      { role: row.role },
      'this process can read and change everything in the database: give it a role of its own (docs/deployment.md)',
    )
}

/** The role of a connection, and whether it may do everything. */
export async function readRole(db: Queryable): Promise<{ role: string; isOwner: boolean } | undefined> {
  const [row] = await db.query<{ role: string; isOwner: boolean }>(
    `select rolname as role, rolsuper or exists (select 1 from pg_class where oid = to_regclass('intents') and pg_has_role(relowner, 'usage')) as "isOwner"
     from pg_roles where rolname = current_user`,
  )
  return row
}
