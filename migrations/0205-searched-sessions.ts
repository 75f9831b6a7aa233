import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** For the search of sessions by a part of what people read. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions add shown_address text;
    comment on column pos_sessions.shown_address is
      'the address and the memo as people read them, where the address is stored in another form; null: it is not, or an earlier version made the session'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table pos_sessions drop shown_address')
}
