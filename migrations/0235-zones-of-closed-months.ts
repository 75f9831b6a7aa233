import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Businesses that closed months before they had a time zone go on in that of their last closed month. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    update businesses b set time_zone = m.time_zone
    from (select distinct on (business_id) business_id, time_zone from ledger_months where closed_at is not null order by business_id, ends_at desc) m
    where m.business_id = b.id and b.time_zone = 'UTC' and m.time_zone <> 'UTC'
  `)
}

/** The column goes with the step before. */
export async function down(): Promise<void> {}
