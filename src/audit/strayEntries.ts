import type { Queryable } from '../platform/database/db.ts'

/**
 * Entries after the last month: no worker has made months, or a process's clock is wrong. Read through the
 * log, on whose partitions no role has a right.
 */
export async function strayEntries(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from audit_log
     where id >= (select substring(pg_get_expr(relpartbound, oid) from '''([0-9a-f-]{36})''')::uuid from pg_class where oid = 'audit_log_later'::regclass)`,
  )
  return row?.count ?? 0
}
