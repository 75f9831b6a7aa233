import type { Queryable } from '../platform/database/db.ts'

/** Deposit addresses of sessions that are pending or at most a week old, newest first. */
export async function recentAddresses(db: Queryable, family: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `select address from pos_sessions where family = $1 and (status = 'pending' or created_at > now() - interval '7 days')
     order by created_at desc limit $2`,
    [family, limit],
  )
  return rows.map((row) => row.address)
}
