import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/platform/database/db.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table webhook_endpoints
      add failing_spells integer not null default 0,
      add failing_spell_at timestamptz,
      add stopped_for text check (stopped_for in ('failing', 'gone')),
      add recovered_from text check (recovered_from in ('failing', 'gone')),
      add reported_at timestamptz,
      add max_per_second integer check (max_per_second between 1 and 1000),
      add rate_slot bigint not null default 0,
      add rate_counts integer[] not null default '{}',
      add sealed_headers bytea;
    comment on column webhook_endpoints.failing_spells is 'spells of failures since the last success; several failures close together are one';
    comment on column webhook_endpoints.stopped_for is 'why Cowry paused it, until a delivery succeeds';
    comment on column webhook_endpoints.recovered_from is 'the same after that success, until the event endpoint.recovered is recorded';
    comment on column webhook_endpoints.reported_at is 'of the last event delivery.failed about it';
    comment on column webhook_endpoints.rate_counts is 'attempts that ended in the slots up to rate_slot, the newest first; with max_per_second only';

    create table webhook_type_health (
      endpoint_id uuid not null references webhook_endpoints,
      business_id uuid not null references businesses,
      type text not null,
      consecutive_failures integer not null,
      failing_since timestamptz,
      last_failed_at timestamptz not null,
      last_error text,
      given_up integer not null,
      last_given_up uuid,
      unreported integer not null,
      reported boolean not null default false,
      recovered boolean not null default false,
      primary key (endpoint_id, type)
    );
    comment on table webhook_type_health is 'event types that an endpoint has failed to take';
    comment on column webhook_type_health.given_up is 'deliveries given up since the last success of the type';
    comment on column webhook_type_health.unreported is 'those that no event delivery.failed has counted';
    comment on column webhook_type_health.recovered is 'delivered again after it was reported, and endpoint.recovered is not recorded yet';
    create index webhook_type_health_news on webhook_type_health (endpoint_id) where unreported > 0 or recovered;

    drop function take_webhook_turn;
  `)
  await db.query(read('0057-failing-types.sql'))
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function take_webhook_turn')
  await db.query(read('0034-fair-turns.sql'))
  await db.query(`
    drop table webhook_type_health;
    alter table webhook_endpoints drop sealed_headers, drop rate_counts, drop rate_slot, drop max_per_second, drop reported_at, drop recovered_from,
      drop stopped_for, drop failing_spell_at, drop failing_spells;
  `)
}
