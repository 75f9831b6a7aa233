import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table legal_profiles (
      id uuid primary key,
      business_id uuid not null unique references businesses,
      sealed bytea not null,
      updated_at timestamptz not null default now()
    );
    comment on table legal_profiles is 'the sender of a business''s bank payouts, for the partner';
    comment on column legal_profiles.sealed is 'all its fields, under APP_KEY';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table legal_profiles')
}
