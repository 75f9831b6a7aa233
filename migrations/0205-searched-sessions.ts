import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * For the search of sessions by a part: Postgres's own extensions for trigrams, and for a business's id in
 * the same index. Both are trusted (Postgres 13): the owner of the database may create them without a
 * superuser, also where Postgres is managed.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    alter table pos_sessions add shown_address text;
    comment on column pos_sessions.shown_address is
      'the address and the memo as people read them, where the address is stored in another form; null: it is not, or an earlier version made the session'
  `)
}

/** The extensions stay: another schema of the database may use them by now. */
export async function down(db: Queryable): Promise<void> {
  await db.query('alter table pos_sessions drop shown_address')
}
