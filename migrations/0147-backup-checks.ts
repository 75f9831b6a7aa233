import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Restores that were checked: `npm run backup -- check`. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table backup_checks (
      id bigint generated always as identity primary key,
      checked_at timestamptz not null default clock_timestamp(),
      restored_to timestamptz not null,
      faults text[] not null
    );
    comment on column backup_checks.restored_to is 'the copy had what was committed up to then';
    comment on column backup_checks.faults is 'what did not hold in the copy; empty: it is sound'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table backup_checks')
}
