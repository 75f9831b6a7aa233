import type { Queryable } from '../src/platform/database/db.ts'

// Events, deliveries and attempts will be partitioned by time: their primary key includes the partition key,
// and all three have the *event's* time, so that (event, endpoint) can be unique.
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table event_sequences (
      business_id uuid primary key references businesses,
      last bigint not null
    );

    create table events (
      id uuid not null,
      created_at timestamptz not null,
      business_id uuid not null references businesses,
      sequence bigint not null,
      type text not null,
      data jsonb not null,
      primary key (id, created_at),
      unique (business_id, sequence, created_at)
    );

    create table webhook_endpoints (
      id uuid primary key,
      business_id uuid not null references businesses,
      url text not null,
      sealed_secret bytea not null,
      status text not null default 'active' check (status in ('active', 'gone')),
      created_at timestamptz not null default now()
    );
    create index webhook_endpoints_business on webhook_endpoints (business_id);

    create table webhook_deliveries (
      id uuid not null,
      created_at timestamptz not null,
      event_id uuid not null,
      business_id uuid not null references businesses,
      endpoint_id uuid references webhook_endpoints,
      type text not null,
      chain text not null,
      address text not null,
      symbol text not null,
      amount text not null,
      tx_id text,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts_count integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      delivered_at timestamptz,
      primary key (id, created_at),
      unique nulls not distinct (event_id, endpoint_id, created_at),
      foreign key (event_id, created_at) references events (id, created_at)
    );
    create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
    create index webhook_deliveries_list on webhook_deliveries (business_id, created_at desc, id desc);

    create function notify_deliveries() returns trigger language plpgsql as $$
    begin
      perform pg_notify('cowry_deliveries', '');
      return null;
    end $$;
    create trigger webhook_deliveries_notify after insert on webhook_deliveries for each statement execute function notify_deliveries();

    create table webhook_attempts (
      delivery_id uuid not null,
      created_at timestamptz not null,
      number integer not null,
      started_at timestamptz not null default now(),
      duration_ms integer,
      response_status integer,
      response_body text,
      error text,
      primary key (delivery_id, number, created_at),
      foreign key (delivery_id, created_at) references webhook_deliveries (id, created_at)
    );
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table webhook_attempts; drop table webhook_deliveries; drop function notify_deliveries(); drop table webhook_endpoints;
    drop table events; drop table event_sequences
  `)
}
