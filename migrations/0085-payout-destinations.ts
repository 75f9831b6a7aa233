import type { Queryable } from '../src/platform/database/db.ts'

/** Where payouts of a business may go. Nothing reads it yet. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table payout_destinations (
      id uuid primary key,
      business_id uuid not null references businesses,
      kind text not null check (kind in ('bank', 'wallet')),
      name text,
      fingerprint bytea not null,
      network_id text,
      bank_name text,
      country text,
      currency text,
      sealed_account bytea,
      chain text,
      address text,
      memo text,
      memo_type text check (memo_type in ('text', 'id', 'hash')),
      usable_from timestamptz not null,
      created_at timestamptz not null default now(),
      archived_at timestamptz,
      constraint payout_destinations_bank check (
        case kind when 'bank' then num_nulls(network_id, bank_name, country, currency, sealed_account) = 0
          else num_nonnulls(network_id, bank_name, country, currency, sealed_account) = 0 end),
      constraint payout_destinations_wallet check (
        case kind when 'wallet' then num_nulls(chain, address) = 0 and num_nulls(memo, memo_type) in (0, 2)
          else num_nonnulls(chain, address, memo, memo_type) = 0 end)
    );
    create unique index payout_destinations_active on payout_destinations (business_id, fingerprint) where archived_at is null;
    create index payout_destinations_business on payout_destinations (business_id, id);
    comment on table payout_destinations is 'bank accounts and wallets that payouts of a business may go to';
    comment on column payout_destinations.fingerprint is 'a hash of account or address, by the key in request_keys';
    comment on column payout_destinations.sealed_account is 'account number and holder, under APP_KEY';
    comment on column payout_destinations.usable_from is 'the end of the cooling-off time that the business had when it was saved';
    comment on column payout_destinations.address is 'normal form of the family';
  `)
}

export async function down(db: Queryable): Promise<void> {
  // Their answers cannot be made again without the rows.
  await db.query(
    "delete from idempotency_keys where answer_kind = 'payout_destination'; drop table payout_destinations",
  )
}
