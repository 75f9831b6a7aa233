import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** The second source of rates: one worker at a time requests it, as often as its plan allows. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table rate_feeds (
      name text not null,
      url text not null,
      asked_at timestamptz,
      next_ask_at timestamptz not null,
      problem text,
      primary key (name, url)
    );
    comment on table rate_feeds is 'sources of rates beside the partner; their rates are in partner_rates';
    comment on column rate_feeds.asked_at is 'a worker has been asking since then; null: none is';
    comment on column rate_feeds.problem is 'why the last request gave no rates; null: it gave some'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table rate_feeds')
}
