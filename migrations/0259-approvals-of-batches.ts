import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * One decision of an owner approves or refuses a batch of payouts. It is an approval whose subject is the
 * batch; each payout keeps its own, decided together with it, because only that lets it leave.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table approvals add column batch_id uuid;
    comment on column approvals.batch_id is 'the payout batch whose decision is also the decision of this one; its own has the batch as its subject'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(
    'delete from approvals where batch_id = subject_id; alter table approvals drop column batch_id',
  )
}
