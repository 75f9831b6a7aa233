import type { Queryable } from '../src/platform/database/db.ts'

/**
 * `amount_credited` is a net amount: what went back to the customer is not in it (`src/sessions/excess.ts`).
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    comment on column pos_sessions.amount_credited is
      'what the business keeps after an excess was credited, without what was refunded; less than amount_expected does not count; null: amount_expected'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    comment on column pos_sessions.amount_credited is 'of amount_settled: up to here it is the business''s; null: up to amount_expected'
  `)
}
