import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table monitoring_additions (
      id uuid primary key,
      business_id uuid not null references businesses,
      chain text not null,
      tokens text not null check (tokens in ('known', 'all')),
      from_height bigint,
      total integer not null,
      stored integer not null default 0,
      added integer,
      import_id uuid,
      status text not null default 'pending' check (status in ('pending', 'running', 'completed', 'failed')),
      last_error text,
      created_at timestamptz not null default now(),
      completed_at timestamptz
    );
    comment on table monitoring_additions is 'many addresses that one request has the worker monitor; all of them or none';
    comment on column monitoring_additions.from_height is 'blocks from it on are read again for them; null: none is';
    comment on column monitoring_additions.stored is 'how many of its addresses the transaction under way has stored';
    create index monitoring_additions_business on monitoring_additions (business_id, id);
    create index monitoring_additions_open on monitoring_additions (business_id) where status in ('pending', 'running');

    create table monitoring_addition_rows (
      addition_id uuid not null references monitoring_additions on delete cascade,
      place integer not null,
      address text not null,
      metadata jsonb,
      monitored_id uuid,
      created boolean,
      primary key (addition_id, place)
    );
    comment on table monitoring_addition_rows is 'the addresses of an addition in the order of its request, in the family''s normal form';

    alter table idempotency_keys add expires_at timestamptz, add answer_kind text;
    comment on column idempotency_keys.expires_at is 'when maintenance deletes the key; null: never, because the request moved money, or came before this column';
    comment on column idempotency_keys.answer_kind is 'what response_body is short for: its answer is made again of the rows that it names; null: it is the answer';
    create index idempotency_keys_expiry on idempotency_keys (expires_at) where expires_at is not null;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    delete from idempotency_keys where answer_kind is not null;
    drop index idempotency_keys_expiry;
    alter table idempotency_keys drop answer_kind, drop expires_at;
    delete from outbox where queue = 'additions';
    drop table monitoring_addition_rows; drop table monitoring_additions;
  `)
}
