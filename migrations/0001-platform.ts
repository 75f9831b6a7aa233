import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table outbox (
      id bigint generated always as identity primary key,
      queue text not null,
      payload jsonb not null,
      try integer not null default 0,
      tries_left integer not null,
      relay_after timestamptz not null default now(),
      dead_at timestamptz,
      last_error text,
      created_at timestamptz not null default now()
    );
    create index outbox_due on outbox (relay_after) where dead_at is null;

    create function notify_outbox() returns trigger language plpgsql as $$
    begin
      perform pg_notify('cowry_outbox', '');
      return null;
    end $$;
    create trigger outbox_notify after insert on outbox for each statement execute function notify_outbox();

    create table idempotency_keys (
      business_id uuid not null,
      key text not null,
      fingerprint bytea not null,
      lease_until timestamptz not null,
      lease uuid not null,
      response_status integer,
      response_body json,
      created_at timestamptz not null default now(),
      primary key (business_id, key)
    );
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table idempotency_keys; drop table outbox; drop function notify_outbox()')
}
