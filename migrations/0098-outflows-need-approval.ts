import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Whether a second owner has to approve an outflow is proven to the treasury with it. Rows of before have a
 * proof without that.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows add column needs_approval boolean not null default false;
    comment on column outflows.needs_approval is 'nothing leaves before a second owner has approved it';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table outflows drop column needs_approval')
}
