import type { Queryable } from '../src/platform/db.ts'

/** How far a partner's list of collections was read. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table collection_syncs (
      partner text primary key,
      synced_until timestamptz,
      next_at timestamptz not null,
      failures integer not null default 0
    );
    comment on column collection_syncs.synced_until is 'what the partner has changed before then is stored; null: nothing was read yet';
    comment on column collection_syncs.next_at is 'when the next round is due; the worker that begins it moves it';
    comment on column collection_syncs.failures is 'rounds that have failed since the last good one';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table collection_syncs')
}
