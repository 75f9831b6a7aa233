import type { Queryable } from '../src/platform/database/db.ts'

/** USDC of stored wallets moves to other chains. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table bridge_transfers (
      id uuid primary key,
      business_id uuid not null references businesses (id),
      wallet_id uuid not null references wallets (id),
      api_key_id uuid references api_keys (id),
      account_id uuid references accounts (id),
      source_chain text not null,
      destination_chain text not null check (destination_chain <> source_chain),
      amount numeric(78, 0) not null check (amount > 0),
      source_address text not null,
      destination_address text not null,
      automatic boolean not null,
      speed text not null check (speed in ('standard', 'fast')),
      max_fee numeric(78, 0) not null check (max_fee >= 0 and max_fee < amount),
      source_domain integer not null,
      destination_domain integer not null check (destination_domain <> source_domain),
      source_messenger text not null,
      destination_messenger text not null,
      burn_token text not null,
      source_word text not null,
      mint_recipient text not null,
      hook text not null,
      needs_approval boolean not null,
      approval_intent_id uuid unique,
      proof bytea not null,
      status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'failed')),
      error_message text,
      source_tx_id text,
      burnt_at timestamptz,
      message text,
      attestation text,
      nonce text,
      executed_speed text check (executed_speed in ('standard', 'fast')),
      fee numeric(78, 0),
      delay text,
      forward_tx_id text,
      mint_intent_id uuid unique,
      destination_tx_id text,
      next_at timestamptz,
      tries integer not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check ((status = 'failed') = (error_message is not null))
    );
    create index bridge_transfers_list on bridge_transfers (business_id, id);
    create index bridge_transfers_due on bridge_transfers (next_at) where next_at is not null;
    create index bridge_transfers_open on bridge_transfers (wallet_id) where status in ('pending', 'in_progress');
    comment on table bridge_transfers is 'the burn is the intent of the same id';
    comment on column bridge_transfers.proof is 'of the api, over all that was requested: the treasury builds what it signs from it';
    comment on column bridge_transfers.source_messenger is 'as the message of the burn must name it, like the five below';
    comment on column bridge_transfers.message is 'as Circle has signed it; checked against the row';
    comment on column bridge_transfers.next_at is 'when a worker takes it further; null: a change of its intents does';
    alter table approvals drop constraint approvals_subject_check, drop constraint approvals_wanted_check,
      add constraint approvals_subject_check
        check (subject in ('transfer', 'bridge-burn', 'payout', 'destination', 'limits', 'setting', 'owner')),
      add constraint approvals_wanted_check
        check ((subject in ('transfer', 'bridge-burn', 'payout', 'destination')) = (wanted is null));
  `)
}

/** Refused while there are transfers: the version before would leave what is under way. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    do $$ begin
      if exists (select 1 from bridge_transfers) then
        raise exception 'there are bridge transfers: the version before cannot follow them';
      end if;
    end $$;
    drop table bridge_transfers;
    alter table approvals drop constraint approvals_subject_check, drop constraint approvals_wanted_check,
      add constraint approvals_subject_check
        check (subject in ('transfer', 'payout', 'destination', 'limits', 'setting', 'owner')),
      add constraint approvals_wanted_check check ((subject in ('transfer', 'payout', 'destination')) = (wanted is null));
  `)
}
