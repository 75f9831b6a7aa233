import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * Links whose customers choose how to pay, and sometimes how much. Each visit that chooses makes a session,
 * which names its link.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table payment_links (
      id uuid primary key,
      business_id uuid not null references businesses,
      token text not null unique,
      amount numeric(40, 18),
      local_amount numeric(40, 8),
      local_currency text,
      min_amount numeric(40, 18),
      max_amount numeric(40, 18),
      accept jsonb,
      label text,
      reference text,
      session_seconds int not null,
      max_sessions int check (max_sessions > 0),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      disabled_at timestamptz,
      constraint payment_links_amount check (amount is null or (local_amount is null and local_currency is null)),
      constraint payment_links_local check (local_amount is null or local_currency is not null),
      constraint payment_links_open check ((amount is null and local_amount is null) or (min_amount is null and max_amount is null))
    );
    comment on table payment_links is 'links whose customers choose network and token; each choice makes a session';
    comment on column payment_links.token is 'the last part of its address: 128 random bits';
    comment on column payment_links.amount is 'whole units of the token; with local_amount null too, the customer names the amount';
    comment on column payment_links.local_currency is 'of local_amount, or of the amounts that customers name; null: units of the token';
    comment on column payment_links.accept is 'list of chain and token; null: all that the business accepts';
    comment on column payment_links.session_seconds is 'how long a session of it waits for its payment';
    comment on column payment_links.max_sessions is 'how many of its sessions may be paid or under way';
    create index payment_links_list on payment_links (business_id, id);
    -- Before the table that refers to sessions: its lock is the weaker one, and would be held first.
    alter table pos_sessions add link_id uuid;
    comment on column pos_sessions.link_id is 'the payment link that made it';
    create table payment_link_visits (
      session_id uuid primary key references pos_sessions,
      link_id uuid not null references payment_links,
      visit bytea not null,
      choice text not null
    );
    comment on table payment_link_visits is 'which visit of a link made a session: a visitor who comes back gets it again';
    comment on column payment_link_visits.visit is 'hash of what the page of the visit chose at random';
    create index payment_link_visits_visit on payment_link_visits (link_id, visit)
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions drop link_id;
    drop table payment_link_visits;
    drop table payment_links
  `)
}
