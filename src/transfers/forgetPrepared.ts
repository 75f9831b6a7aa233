import type { Queryable } from '../platform/database/db.ts'

const batchSize = 1000

/**
 * Deletes prepared transfers that were never submitted, a day after they expired. Until then a late submit
 * gets `transfer_expired`.
 */
export async function forgetPrepared(db: Queryable): Promise<void> {
  let deleted = batchSize
  while (deleted === batchSize) {
    const rows = await db.query(
      `delete from prepared_transfers where id in (
         select id from prepared_transfers where submitted_at is null and expires_at < now() - interval '1 day'
         order by expires_at limit $1 for update skip locked)
       returning id`,
      [batchSize],
    )
    deleted = rows.length
  }
}
