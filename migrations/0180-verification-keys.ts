import type { Queryable } from '../src/platform/database/db.ts'

/** Keys of the verification area's own API. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table verification_keys (
      id uuid primary key,
      business_id uuid not null references businesses,
      name text not null,
      kind text not null check (kind in ('secret', 'publishable')),
      prefix text not null,
      hash bytea not null unique,
      created_by uuid references accounts,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      replaced_by uuid references verification_keys,
      last_used_at timestamptz,
      last_used_address text
    );
    create index verification_keys_business on verification_keys (business_id, id);
    comment on column verification_keys.hash is 'SHA-256 of the whole key';
    comment on column verification_keys.expires_at is 'the end of the overlap, where it was rotated';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table verification_keys')
}
