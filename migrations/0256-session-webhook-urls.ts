import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Where the events of a single session go, in addition to the endpoints. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions add webhook_url text;
    comment on column pos_sessions.webhook_url is 'gets the events of this session; its host is one of the callback hosts'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table pos_sessions drop webhook_url')
}
