import type { Queryable } from '../src/platform/database/db.ts'

/** How far a partner's list of collections was read, and what the chain has of their settlements. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table collection_syncs (
      partner text primary key,
      synced_until timestamptz,
      next_at timestamptz not null,
      failures integer not null default 0
    );
    comment on column collection_syncs.synced_until is 'what the partner has changed before then is stored; null: nothing was read yet';
    comment on column collection_syncs.next_at is 'when the next round is due; the worker that begins it moves it';
    comment on column collection_syncs.failures is 'rounds that have failed since the last good one';

    alter table watches drop constraint watches_purpose_check,
      add constraint watches_purpose_check check (purpose in ('session', 'suspense', 'monitor', 'collection'));

    create table collection_wallets (
      id uuid primary key,
      business_id uuid not null references businesses,
      chain text not null,
      address text not null,
      unique (business_id, chain, address)
    );
    comment on table collection_wallets is 'wallets that collections are settled to; each is watched once, by its id';

    create table collection_transfers (
      detection_id uuid primary key references detections,
      wallet_id uuid not null references collection_wallets,
      collection_id uuid unique references fiat_collections,
      block_time timestamptz not null
    );
    create index collection_transfers_free on collection_transfers (wallet_id, block_time) where collection_id is null;
    comment on table collection_transfers is 'what has come to these wallets since they are watched';
    comment on column collection_transfers.collection_id is 'the collection that it settles; null: it is other money';

    alter table fiat_collections add wallet_id uuid references collection_wallets, add partner_tx_id text;
    comment on column fiat_collections.partner_tx_id is 'the transaction of the settlement, as the partner names it';
    create index fiat_collections_unsettled on fiat_collections (wallet_id, ended_at) where status = 'completed' and settlement in ('none', 'seen', 'mismatch');
    create index fiat_collections_late on fiat_collections (ended_at) where status = 'completed' and settlement = 'none';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index fiat_collections_late;
    drop index fiat_collections_unsettled;
    alter table fiat_collections drop wallet_id, drop partner_tx_id;
    drop table collection_transfers;
    drop table collection_wallets;
    delete from detections where watch_id in (select id from watches where purpose = 'collection');
    alter table watches disable trigger watches_keep;
    delete from watches where purpose = 'collection';
    alter table watches enable trigger watches_keep;
    alter table watches drop constraint watches_purpose_check,
      add constraint watches_purpose_check check (purpose in ('session', 'suspense', 'monitor'));
    drop table collection_syncs
  `)
}
