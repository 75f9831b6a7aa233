import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** What indexers and workers report of themselves, for operators: one row a chain, one a queue. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table chain_reports (
      chain text primary key,
      head bigint,
      is_stale boolean not null,
      is_unreadable boolean not null,
      nodes jsonb not null,
      reported_at timestamptz not null default now()
    );
    comment on table chain_reports is 'what the leading indexer of a chain knows of it';
    comment on column chain_reports.head is 'the newest height that a node reported; null: none since the start';

    create table queue_reports (
      queue text primary key,
      waiting integer,
      active integer,
      delayed integer,
      failed integer,
      oldest_at timestamptz,
      reported_at timestamptz not null default now()
    );
    comment on table queue_reports is 'what a worker counted in Redis; numbers are null: Redis did not answer'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table queue_reports; drop table chain_reports')
}
