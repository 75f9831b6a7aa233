import type { Queryable } from '../src/platform/database/db.ts'

/** Requests that were erased while they waited for credit: they count for a day as if they waited. */
export async function up(db: Queryable): Promise<void> {
  await db.query(
    "create index verifications_erased_waiting on verifications (business_id, erased_at) where reason_code = 'data_erased'",
  )
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index verifications_erased_waiting')
}
