import type { Queryable } from '../src/platform/database/db.ts'

/** Fiat that a partner collects from customers, and settles as crypto. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table fiat_collections (
      id uuid primary key,
      business_id uuid not null references businesses,
      status text not null check (status in ('pending', 'processing', 'completed', 'expired', 'failed', 'refunded')),
      reason text,
      revision integer not null default 1,
      local_amount numeric(78, 0) not null check (local_amount > 0),
      currency text not null,
      country text not null,
      chain text not null,
      token text not null,
      address text not null,
      memo text,
      partner text not null,
      channel_id text not null,
      account_type text not null check (account_type in ('bank', 'momo')),
      sealed_payer bytea not null,
      tries integer not null default 0,
      submitted_at timestamptz,
      absent_since timestamptz,
      partner_payment_id text,
      partner_status text,
      partner_updated_at timestamptz,
      partner_asked_at timestamptz,
      partner_reference text,
      bank_name text,
      bank_account_number text,
      bank_account_name text,
      crypto_amount text,
      rate text,
      network_fee_usd text,
      service_fee_usd text,
      converted_amount text,
      expires_at timestamptz,
      settlement text not null default 'none' check (settlement in ('none', 'seen', 'confirmed', 'mismatch')),
      tx_id text,
      reference text,
      metadata jsonb,
      next_at timestamptz,
      asking_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      ended_at timestamptz,
      constraint fiat_collections_known check (partner_payment_id is null or (submitted_at is not null and partner_status is not null and
        partner_updated_at is not null and partner_asked_at is not null)),
      constraint fiat_collections_end check ((ended_at is null) = (status in ('pending', 'processing')))
    );
    create index fiat_collections_business on fiat_collections (business_id, id);
    create index fiat_collections_status on fiat_collections (business_id, status, id);
    create index fiat_collections_currency on fiat_collections (business_id, currency, id);
    create index fiat_collections_reference on fiat_collections (business_id, reference, id) where reference is not null;
    create index fiat_collections_due on fiat_collections (next_at) where next_at is not null;
    create index fiat_collections_open on fiat_collections (partner, partner_updated_at) where status in ('pending', 'processing');
    create unique index fiat_collections_partner on fiat_collections (partner, partner_payment_id) where partner_payment_id is not null;
    comment on column fiat_collections.reason is 'a stable code: why it failed, or what it waits for';
    comment on column fiat_collections.local_amount is 'what the customer pays, in whole units of currency';
    comment on column fiat_collections.address is 'the wallet that the partner settles to, in normal form';
    comment on column fiat_collections.sealed_payer is 'recipient, source and redirectUrl, under APP_KEY';
    comment on column fiat_collections.submitted_at is 'from then on the partner may know it; null: it does not';
    comment on column fiat_collections.absent_since is 'the partner said then that it does not have it; null: it did not, or has it';
    comment on column fiat_collections.partner_updated_at is 'of the newest answer, by the partner''s clock; an older answer changes nothing';
    comment on column fiat_collections.partner_asked_at is 'of two answers with one time the one that was asked for later counts';
    comment on column fiat_collections.crypto_amount is 'as the partner wrote it, like rate, the fees and converted_amount';
    comment on column fiat_collections.next_at is 'when a worker asks the partner for it alone; null: it is not asked for alone';
    comment on column fiat_collections.asking_until is 'a request to refresh it asks the partner until then; others wait for its answer';
    comment on column fiat_collections.ended_at is 'when it left pending and processing';

    create table fiat_collection_counts (
      business_id uuid not null,
      status text not null,
      n bigint not null
    );
    comment on table fiat_collection_counts is 'how many collections there are: rows are added, and folded into one from time to time; their sum counts';
    create index fiat_collection_counts_business on fiat_collection_counts (business_id, status);

    create table partner_turns (
      partner text primary key,
      next_at timestamptz not null
    );
    comment on table partner_turns is 'when the partner may be asked for a collection next, for all workers';

    create function count_collections() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into fiat_collection_counts select business_id, status, count(*) from new_rows group by 1, 2;
      else
        insert into fiat_collection_counts
          select business_id, status, sum(n) from (
            select business_id, status, 1 as n from new_rows
            union all select business_id, status, -1 from old_rows) changes
          group by 1, 2 having sum(n) <> 0;
      end if;
      return null;
    end $$;
    create trigger fiat_collections_count_new after insert on fiat_collections
      referencing new table as new_rows for each statement execute function count_collections();
    create trigger fiat_collections_count_changed after update on fiat_collections
      referencing old table as old_rows new table as new_rows for each statement execute function count_collections();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(
    'drop table fiat_collections; drop table fiat_collection_counts; drop table partner_turns; drop function count_collections()',
  )
}
