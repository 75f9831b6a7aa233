import type { Queryable } from '../src/platform/database/db.ts'

/** When a session was cancelled, for its timeline. Unknown for those of earlier versions. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions add column cancelled_at timestamptz;
    comment on column pos_sessions.cancelled_at is 'null for sessions that are not cancelled, and for those that an earlier version cancelled';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table pos_sessions drop column cancelled_at')
}
