import type { Queryable } from '../src/platform/database/db.ts'

/** A burn on Solana keeps its message in an account of its own, whose rent returns to the wallet. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table bridge_event_accounts (
      id uuid primary key,
      address text not null unique,
      identity text not null default present_identity(),
      created_at timestamptz not null default now(),
      taken_at timestamptz
    );
    create index bridge_event_accounts_free on bridge_event_accounts (identity) where taken_at is null;
    comment on table bridge_event_accounts is 'their keys follow from the seed and the id';
    comment on column bridge_event_accounts.identity is 'of the database: after a restore, free ones may have been taken';
    alter table bridge_transfers
      add column event_account text unique,
      add column reclaim_at timestamptz,
      add column reclaim_intent_id uuid unique,
      add column reclaimed_at timestamptz;
    comment on column bridge_transfers.event_account is 'Solana: keeps the message of the burn; null on other chains';
    comment on column bridge_transfers.reclaim_at is 'when the rent of the event account can return; null until the mint is final';
    comment on column bridge_transfers.reclaimed_at is 'the event account is closed';
    alter table intents drop constraint intents_check,
      add constraint intents_check check ((signer in ('wallet', 'bridge')) = (wallet_id is not null));
  `)
}

/** Refused while there are burns on Solana: the version before could not return their rent. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    do $$ begin
      if exists (select 1 from bridge_transfers where event_account is not null) then
        raise exception 'there are burns on Solana: the version before cannot follow them';
      end if;
    end $$;
    alter table intents drop constraint intents_check,
      add constraint intents_check check ((signer = 'wallet') = (wallet_id is not null));
    alter table bridge_transfers drop column event_account, drop column reclaim_at, drop column reclaim_intent_id, drop column reclaimed_at;
    drop table bridge_event_accounts;
  `)
}
