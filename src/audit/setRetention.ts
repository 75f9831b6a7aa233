import type { Queryable } from '../platform/database/db.ts'

/**
 * Stores for how many days entries are kept, as the owner of the tables: no process can shorten it.
 * @param days null: for ever
 */
export async function setRetention(db: Queryable, days: number | null): Promise<void> {
  if (days === null) await db.query('delete from audit_retention')
  else
    await db.query(
      'insert into audit_retention (days) values ($1) on conflict (one) do update set days = excluded.days, held_until = null where audit_retention.days <> excluded.days',
      [days],
    )
}
