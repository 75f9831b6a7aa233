import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table request_keys (
      id uuid primary key,
      only_one boolean not null default true unique check (only_one),
      sealed bytea not null,
      created_at timestamptz not null default now()
    );
    comment on table request_keys is 'the key of the hashes in idempotency_keys, sealed with APP_KEY; it stays when APP_KEY is rolled';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table request_keys')
}
