import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table seeds (
      id uuid primary key,
      only_one boolean not null default true unique check (only_one),
      provider text not null,
      wrapped_key bytea not null,
      sealed bytea not null,
      created_at timestamptz not null default now()
    );
    comment on table seeds is 'the deployment''s one seed, under a data key that only the key provider can unwrap';

    create table deposit_addresses (
      family text not null,
      index bigint not null,
      address text not null,
      memo text not null default '',
      path text not null,
      taken_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (family, index),
      unique (family, address, memo)
    );
    create index deposit_addresses_free on deposit_addresses (family, index) where taken_at is null;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table deposit_addresses; drop table seeds')
}
