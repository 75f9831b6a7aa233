import type { Queryable } from '../src/platform/database/db.ts'

const check = (more: string) => `
    alter table outflow_ends drop constraint outflow_ends_status_check;
    alter table outflow_ends add constraint outflow_ends_status_check check (status in ('completed', 'failed'${more}));`

/** A top-up that is not seen at the partner is ended by two operators as well. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    ${check(", 'not_arrived'")}
    comment on column outflow_ends.status is 'not_arrived: a top-up whose transaction is final and that is not seen at the partner';
  `)
}

/** Those that were decided stay in the audit log. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    delete from outflow_ends where status = 'not_arrived';
    ${check('')}
    comment on column outflow_ends.status is null;
  `)
}
