import type { Queryable } from '../src/platform/database/db.ts'

/** Identity checks, their sealed personal data, and the operator's prices. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table verification_prices (
      country text check (country ~ '^[A-Z]{2}$'),
      id_type text check (id_type ~ '^[a-z][a-z0-9_]{0,39}$'),
      price numeric(78, 0) not null check (price > 0),
      updated_at timestamptz not null default now(),
      primary key (country, id_type)
    );
    comment on column verification_prices.price is 'millionths of a US dollar';

    create table verifications (
      id uuid primary key,
      business_id uuid not null references businesses,
      request_id text not null unique,
      country text not null,
      id_type text not null,
      price numeric(78, 0) not null check (price > 0),
      status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed', 'not_found', 'error')),
      reason_code text,
      reason text,
      data_key bytea,
      attempts integer not null default 0,
      next_attempt_at timestamptz default now(),
      created_at timestamptz not null default now(),
      completed_at timestamptz,
      erased_at timestamptz,
      constraint verifications_ended check ((completed_at is not null) = (status in ('completed', 'failed', 'not_found', 'error'))),
      constraint verifications_due check ((next_attempt_at is null) = (completed_at is not null)),
      constraint verifications_reason check ((reason_code is not null) = (status in ('failed', 'not_found', 'error'))),
      constraint verifications_erased check ((erased_at is not null) = (data_key is null))
    );
    create index verifications_due on verifications (next_attempt_at) where next_attempt_at is not null;
    create index verifications_business on verifications (business_id, id);
    comment on column verifications.request_id is 'the caller''s; of one organisation for ever';
    comment on column verifications.price is 'millionths of a US dollar, as it was at the request';
    comment on column verifications.next_attempt_at is 'when its check is due; the rows are the queue';
    comment on column verifications.data_key is 'the key of its personal data, sealed with VERIFY_KEY; null: erased';

    create table verification_fields (
      verification_id uuid references verifications,
      name text,
      sealed bytea not null,
      primary key (verification_id, name)
    );
    comment on table verification_fields is 'personal data, each field sealed with the key of its verification';
  `)
}

/** Refuses while a check is under way: its price is held of a credit, and nothing could give it back. */
export async function down(db: Queryable): Promise<void> {
  const [open] = await db.query(
    "select 1 from verifications where status in ('queued', 'processing') limit 1",
  )
  if (open) throw new Error('there are verifications under way: the version before cannot end them')
  await db.query('drop table verification_fields; drop table verifications; drop table verification_prices')
}
