import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** The sessions that were made at a till: cashiers see and cancel these alone. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table till_sessions (
      session_id uuid primary key references pos_sessions,
      business_id uuid not null references businesses,
      account_id uuid not null references accounts,
      created_at timestamptz not null
    );
    comment on table till_sessions is 'sessions that members made at the till';
    comment on column till_sessions.account_id is 'the member who made it';
    create index till_sessions_day on till_sessions (business_id, created_at)
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table till_sessions')
}
