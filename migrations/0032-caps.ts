import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table business_caps (
      business_id uuid not null references businesses,
      name text not null,
      value bigint not null check (value >= 0),
      primary key (business_id, name)
    );
    comment on table business_caps is 'caps that the operator set for a business, in place of the deployment''s';

    create table bulk_calls (
      business_id uuid not null references businesses,
      slot integer not null,
      lease uuid not null,
      lease_until timestamptz not null,
      primary key (business_id, slot)
    );
    comment on table bulk_calls is 'bulk calls that are under way, one a slot; after lease_until the slot is free';

    create table open_session_counts (business_id uuid not null, n bigint not null);
    comment on table open_session_counts is 'how many sessions are pending: rows of differences, like monitored_address_counts';
    create index open_session_counts_business on open_session_counts (business_id);
    insert into open_session_counts select business_id, count(*) from pos_sessions where status = 'pending' group by 1;
    create function count_open_session() returns trigger language plpgsql as $$
    begin
      insert into open_session_counts values (new.business_id, case when new.status = 'pending' then 1 else -1 end);
      return null;
    end $$;
    create trigger pos_sessions_count_new after insert on pos_sessions
      for each row when (new.status = 'pending') execute function count_open_session();
    create trigger pos_sessions_count_changed after update of status on pos_sessions
      for each row when ((old.status = 'pending') <> (new.status = 'pending')) execute function count_open_session();

    alter table webhook_endpoints add host text not null default '';
    comment on column webhook_endpoints.host is 'of the url, as a URL parser writes it; empty: not known, and not capped';
    create index webhook_endpoints_host on webhook_endpoints (business_id, host) where removed_at is null;
  `)
  const rows = await db.query<{ url: string }>('select distinct url from webhook_endpoints')
  const known = rows.flatMap(({ url }) =>
    URL.canParse(url) ? [{ url, host: new URL(url).hostname.replace(/\.$/, '') }] : [],
  )
  await db.query(
    'update webhook_endpoints e set host = k.host from unnest($1::text[], $2::text[]) as k(url, host) where e.url = k.url',
    [known.map(({ url }) => url), known.map(({ host }) => host)],
  )
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index webhook_endpoints_host;
    alter table webhook_endpoints drop host;
    drop trigger pos_sessions_count_changed on pos_sessions; drop trigger pos_sessions_count_new on pos_sessions;
    drop function count_open_session();
    drop table open_session_counts; drop table bulk_calls; drop table business_caps;
  `)
}
