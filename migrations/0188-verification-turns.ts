import type { Queryable } from '../src/platform/database/db.ts'

/** Due checks by business, so that businesses take turns; first attempts and retries apart. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create index verifications_first on verifications (business_id, next_attempt_at) where next_attempt_at is not null and attempts = 0;
    create index verifications_retry on verifications (business_id, next_attempt_at) where next_attempt_at is not null and attempts > 0;
    drop index verifications_due;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    create index verifications_due on verifications (next_attempt_at) where next_attempt_at is not null;
    drop index verifications_retry;
    drop index verifications_first;
  `)
}
