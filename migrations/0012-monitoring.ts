import type { Queryable } from '../src/platform/database/db.ts'

// Events, deliveries and attempts are partitioned by the *event's* time and dropped by age. They refer to
// each other by id and time without foreign keys: a key per row costs as much as the row, and a referenced
// partition cannot be dropped. One statement writes an event with its deliveries, and one writes an attempt
// with its delivery's state.
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table webhook_endpoints
      drop constraint webhook_endpoints_status_check,
      add description text not null default '',
      add event_types text[],
      add signature text not null default 'hmac' check (signature in ('hmac', 'ed25519')),
      add previous_sealed_secret bytea,
      add previous_until timestamptz,
      add paused_reason text check (paused_reason in ('owner', 'failing', 'gone')),
      add paused_at timestamptz,
      add removed_at timestamptz,
      add not_before timestamptz,
      add consecutive_failures integer not null default 0,
      add failing_since timestamptz,
      add last_delivered_at timestamptz,
      add last_failed_at timestamptz,
      add last_error text;
    update webhook_endpoints set status = 'paused', paused_reason = 'gone', paused_at = now() where status = 'gone';
    alter table webhook_endpoints
      add constraint webhook_endpoints_status_check check (status in ('active', 'paused')),
      add constraint webhook_endpoints_paused check ((status = 'paused') = (paused_reason is not null) and (status = 'paused') = (paused_at is not null)),
      add constraint webhook_endpoints_previous check ((previous_sealed_secret is null) = (previous_until is null));
    comment on column webhook_endpoints.event_types is 'null: every type';
    comment on column webhook_endpoints.sealed_secret is 'whsec_ and the HMAC key, or whsk_ and the seed of the ed25519 key';
    comment on column webhook_endpoints.previous_sealed_secret is 'signs beside the newer one until previous_until';
    comment on column webhook_endpoints.failing_since is 'every attempt since then has failed';
    comment on column webhook_endpoints.not_before is 'nothing is attempted until then: the receiver asked for it, or it fails again and again';
    drop index webhook_endpoints_business;
    create index webhook_endpoints_business on webhook_endpoints (business_id) where removed_at is null;

    alter table events rename to events_old;
    alter table webhook_deliveries rename to webhook_deliveries_old;
    alter table webhook_attempts rename to webhook_attempts_old;
    drop trigger webhook_deliveries_notify on webhook_deliveries_old;
    drop function notify_deliveries();
    alter table webhook_attempts_old drop constraint webhook_attempts_delivery_id_created_at_fkey;
    alter table webhook_deliveries_old drop constraint webhook_deliveries_event_id_created_at_fkey;
    alter index events_pkey rename to events_old_pkey;
    alter index webhook_deliveries_pkey rename to webhook_deliveries_old_pkey;
    alter index webhook_attempts_pkey rename to webhook_attempts_old_pkey;
    drop index webhook_deliveries_due;
    drop index webhook_deliveries_list;

    create table events (
      id uuid not null,
      created_at timestamptz not null,
      business_id uuid not null,
      sequence bigint not null,
      type text not null,
      data jsonb not null,
      primary key (id, created_at)
    ) partition by range (created_at);
    create unique index events_sequence on events (business_id, sequence, created_at);

    create table webhook_deliveries (
      id uuid not null,
      created_at timestamptz not null,
      event_id uuid not null,
      business_id uuid not null,
      endpoint_id uuid,
      topic text not null,
      type text not null,
      chain text not null,
      address text not null,
      symbol text not null,
      amount text not null,
      tx_id text,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts_count integer not null default 0,
      delivered_at timestamptz,
      primary key (id, created_at),
      unique nulls not distinct (event_id, endpoint_id, created_at)
    ) partition by range (created_at);
    comment on column webhook_deliveries.topic is 'the type up to its point';
    comment on column webhook_deliveries.endpoint_id is 'null: there was none; the first one takes it over within 24 h';
    create index webhook_deliveries_topic on webhook_deliveries (business_id, topic, id);
    create index webhook_deliveries_type on webhook_deliveries (business_id, type, id);
    create index webhook_deliveries_undelivered on webhook_deliveries (business_id, status, id) where status <> 'delivered';
    create index webhook_deliveries_chain on webhook_deliveries (business_id, chain, id);
    create index webhook_deliveries_address on webhook_deliveries (business_id, address, id);
    create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id);

    create table webhook_attempts (
      delivery_id uuid not null,
      created_at timestamptz not null,
      number integer not null,
      started_at timestamptz not null default now(),
      duration_ms integer,
      response_status integer,
      response_body text,
      error text,
      primary key (delivery_id, number, created_at)
    ) partition by range (created_at);
    comment on column webhook_attempts.created_at is 'the event''s';

    create table webhook_queue (
      delivery_id uuid primary key,
      created_at timestamptz not null,
      endpoint_id uuid not null,
      next_attempt_at timestamptz not null,
      attempts integer not null default 0,
      tries integer not null default 0,
      claimed_until timestamptz
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
    comment on table webhook_queue is 'what is still to be attempted: a row for each pending delivery that has an endpoint, and no other';
    comment on column webhook_queue.attempts is 'all that were made, of which the last may still be under way';
    comment on column webhook_queue.tries is 'those of the present round: a replay begins a new one';
    comment on column webhook_queue.claimed_until is 'an attempt is under way until then; null: none is';
    create index webhook_queue_due on webhook_queue (endpoint_id, next_attempt_at);

    create table webhook_delivery_counts (
      business_id uuid not null,
      endpoint_id uuid,
      topic text not null,
      type text not null,
      chain text not null,
      status text not null,
      n bigint not null
    );
    comment on table webhook_delivery_counts is 'how many deliveries there are: rows are added, and folded into one from time to time; their sum counts';
    create index webhook_delivery_counts_business on webhook_delivery_counts (business_id);

    create function count_deliveries() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into webhook_delivery_counts select business_id, endpoint_id, topic, type, chain, status, count(*) from new_rows group by 1, 2, 3, 4, 5, 6;
      else
        insert into webhook_delivery_counts
          select business_id, endpoint_id, topic, type, chain, status, sum(n) from (
            select business_id, endpoint_id, topic, type, chain, status, 1 as n from new_rows
            union all select business_id, endpoint_id, topic, type, chain, status, -1 from old_rows) changes
          group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0;
      end if;
      return null;
    end $$;

    create function add_webhook_partition(from_day date, to_day date) returns void language plpgsql as $$
    declare
      suffix text := to_char(from_day, 'YYYYMMDD');
    begin
      execute format('create table events_p%s partition of events for values from (%L) to (%L)', suffix, from_day::timestamp at time zone 'UTC', to_day::timestamp at time zone 'UTC');
      execute format('create table webhook_deliveries_p%s partition of webhook_deliveries for values from (%L) to (%L)', suffix, from_day::timestamp at time zone 'UTC', to_day::timestamp at time zone 'UTC');
      execute format('create table webhook_attempts_p%s partition of webhook_attempts for values from (%L) to (%L)', suffix, from_day::timestamp at time zone 'UTC', to_day::timestamp at time zone 'UTC');
    end $$;
    create table events_default partition of events default;
    create table webhook_deliveries_default partition of webhook_deliveries default;
    create table webhook_attempts_default partition of webhook_attempts default;
    -- Weeks from Monday, from the oldest event to five weeks from now.
    select add_webhook_partition(week::date, (week + interval '7 days')::date) from generate_series(
      date_trunc('week', least((select min(created_at) from events_old), now()) at time zone 'UTC'),
      date_trunc('week', now() at time zone 'UTC') + interval '35 days', interval '7 days') week;

    create trigger webhook_deliveries_count_new after insert on webhook_deliveries
      referencing new table as new_rows for each statement execute function count_deliveries();
    create trigger webhook_deliveries_count_changed after update on webhook_deliveries
      referencing old table as old_rows new table as new_rows for each statement execute function count_deliveries();

    insert into events select id, created_at, business_id, sequence, type, data from events_old;
    insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, tx_id, status, attempts_count, delivered_at)
      select id, created_at, event_id, business_id, endpoint_id, split_part(type, '.', 1), type, chain, address, symbol, amount, tx_id,
        case when status = 'pending' and endpoint_id in (select id from webhook_endpoints where status = 'paused') then 'failed' else status end, attempts_count, delivered_at
      from webhook_deliveries_old;
    insert into webhook_attempts select delivery_id, created_at, number, started_at, duration_ms, response_status, response_body, error from webhook_attempts_old;
    insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, attempts, tries)
      select id, created_at, endpoint_id, next_attempt_at, attempts_count, attempts_count from webhook_deliveries_old
      where status = 'pending' and endpoint_id in (select id from webhook_endpoints where status = 'active');
    drop table webhook_attempts_old; drop table webhook_deliveries_old; drop table events_old;

    alter table watches drop constraint watches_purpose_check,
      add constraint watches_purpose_check check (purpose in ('session', 'suspense', 'monitor')),
      add all_tokens boolean not null default false,
      add from_height bigint,
      add from_before bigint,
      add added_xid xid8,
      add import_id uuid;
    comment on column watches.all_tokens is 'also tokens that Cowry does not know by name; only for purpose monitor';
    comment on column watches.from_height is 'blocks below it are not this watch''s; null: all are';
    comment on column watches.from_before is 'its first block without the import that reads blocks again for it; null: none but those behind the import';
    comment on column watches.added_xid is 'the transaction that monitors it from the next block on; null: an import reads the blocks since';
    comment on column watches.import_id is 'the import that reads blocks again for it';
    create index watches_import on watches (import_id) where import_id is not null and removed_at is null;
    alter table blocks add matched_with pg_snapshot;
    comment on column blocks.matched_with is 'the snapshot in which the watch list was read last before the block was matched with it';
    alter table chain_cursors add watches_settled pg_snapshot, add watches_settled_at timestamptz;
    comment on column chain_cursors.watches_settled is 'watches that were added in it have been looked for in every block since they were';
    comment on column chain_cursors.watches_settled_at is 'when that snapshot was taken';

    create table monitored_addresses (
      id uuid primary key references watches,
      business_id uuid not null references businesses,
      chain text not null,
      address text not null,
      metadata jsonb,
      tokens text not null default 'known' check (tokens in ('known', 'all')),
      created_at timestamptz not null default now(),
      removed_at timestamptz
    );
    comment on column monitored_addresses.address is 'in the family''s normal form';
    create unique index monitored_addresses_once on monitored_addresses (business_id, chain, address) where removed_at is null;
    create index monitored_addresses_list on monitored_addresses (business_id, id) where removed_at is null;
    create table monitored_address_counts (business_id uuid not null, chain text not null, n bigint not null);
    comment on table monitored_address_counts is 'how many are monitored, like webhook_delivery_counts';
    create index monitored_address_counts_business on monitored_address_counts (business_id);
    create function count_monitored_new() returns trigger language plpgsql as $$
    begin
      insert into monitored_address_counts select business_id, chain, count(*) from new_rows where removed_at is null group by 1, 2;
      return null;
    end $$;
    create function count_monitored_changed() returns trigger language plpgsql as $$
    begin
      insert into monitored_address_counts select n.business_id, n.chain, -count(*) from new_rows n join old_rows o on o.id = n.id
        where n.removed_at is not null and o.removed_at is null group by 1, 2;
      return null;
    end $$;
    create trigger monitored_addresses_count_new after insert on monitored_addresses
      referencing new table as new_rows for each statement execute function count_monitored_new();
    create trigger monitored_addresses_count_changed after update on monitored_addresses
      referencing old table as old_rows new table as new_rows for each statement execute function count_monitored_changed();

    create table monitoring_imports (
      id uuid primary key,
      business_id uuid not null references businesses,
      chain text not null,
      from_height bigint not null,
      to_height bigint not null,
      next_height bigint not null,
      addresses integer not null,
      found bigint not null default 0,
      status text not null default 'pending' check (status in ('pending', 'begun', 'running', 'completed', 'failed', 'cancelled')),
      last_error text,
      failures integer not null default 0,
      retry_at timestamptz,
      created_at timestamptz not null default now(),
      completed_at timestamptz
    );
    comment on table monitoring_imports is 'blocks that are read again for addresses that are monitored from a height below the cursor';
    comment on column monitoring_imports.failures is 'tries since the last block that was read, while the chain itself could be read';
    create index monitoring_imports_open on monitoring_imports (chain, business_id, id) where status in ('pending', 'begun', 'running');
    create index monitoring_imports_business on monitoring_imports (business_id, id);

    alter table detections add direction text not null default 'in' check (direction in ('in', 'out', 'self'));
    create index detections_taken_back on detections (chain, watch_id) where status = 'reverted';
    create index detections_unagreed on detections (chain, block_height) where status = 'seen' and needs_agreement and agreed_at is null;
    create table monitored_movements (
      detection_id uuid primary key references detections,
      told text not null check (told in ('detected', 'confirmed', 'reverted')),
      generation integer not null
    );
    comment on table monitored_movements is 'what was told of each movement of a monitored address';

    create table token_facts (
      chain text not null,
      contract text not null,
      symbol text,
      decimals integer,
      problem text,
      read_at timestamptz not null default now(),
      primary key (chain, contract)
    );
    comment on table token_facts is 'what tokens that Cowry does not know by name say of themselves';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    delete from outbox where queue = 'monitoring';
    drop table token_facts; drop table monitored_movements;
    delete from detections where watch_id in (select id from watches where purpose = 'monitor');
    drop index detections_unagreed; drop index detections_taken_back;
    alter table detections drop direction;
    drop table monitoring_imports; drop table monitored_address_counts; drop table monitored_addresses;
    drop function count_monitored_new(); drop function count_monitored_changed();
    alter table watches disable trigger watches_keep;
    delete from watches where purpose = 'monitor';
    alter table watches enable trigger watches_keep;
    alter table chain_cursors drop watches_settled_at, drop watches_settled;
    alter table blocks drop matched_with;
    alter table watches drop import_id, drop added_xid, drop from_before, drop from_height, drop all_tokens, drop constraint watches_purpose_check,
      add constraint watches_purpose_check check (purpose in ('session', 'suspense'));

    alter table events rename to events_new;
    alter table webhook_deliveries rename to webhook_deliveries_new;
    alter table webhook_attempts rename to webhook_attempts_new;
    alter index events_pkey rename to events_new_pkey;
    alter index webhook_deliveries_pkey rename to webhook_deliveries_new_pkey;
    alter index webhook_attempts_pkey rename to webhook_attempts_new_pkey;
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
    insert into events select id, created_at, business_id, sequence, type, data from events_new;
    insert into webhook_deliveries
      select d.id, d.created_at, d.event_id, d.business_id, d.endpoint_id, d.type, d.chain, d.address, d.symbol, d.amount, d.tx_id, d.status, d.attempts_count,
        coalesce(q.next_attempt_at, now()), d.delivered_at
      from webhook_deliveries_new d left join webhook_queue q on q.delivery_id = d.id;
    insert into webhook_attempts select delivery_id, created_at, number, started_at, duration_ms, response_status, response_body, error from webhook_attempts_new;
    drop table webhook_queue; drop table webhook_attempts_new; drop table webhook_deliveries_new; drop table events_new;
    drop table webhook_delivery_counts; drop function count_deliveries(); drop function add_webhook_partition(date, date);

    alter table webhook_endpoints drop constraint webhook_endpoints_paused, drop constraint webhook_endpoints_previous, drop constraint webhook_endpoints_status_check;
    update webhook_endpoints set status = 'gone' where status = 'paused' or removed_at is not null;
    alter table webhook_endpoints
      add constraint webhook_endpoints_status_check check (status in ('active', 'gone')),
      drop not_before, drop last_error, drop last_failed_at, drop last_delivered_at, drop failing_since, drop consecutive_failures, drop removed_at, drop paused_at,
      drop paused_reason, drop previous_until, drop previous_sealed_secret, drop signature, drop event_types, drop description;
    drop index if exists webhook_endpoints_business;
    create index webhook_endpoints_business on webhook_endpoints (business_id);
  `)
}
