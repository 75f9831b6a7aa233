import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table wallet_keys (
      id uuid primary key,
      public_key bytea not null,
      provider text not null,
      wrapped_key bytea not null,
      sealed bytea not null,
      created_at timestamptz not null default now(),
      retired_at timestamptz
    );
    comment on table wallet_keys is 'key pairs that stored wallets are sealed to: anybody may seal, the treasury alone can open';
    create unique index wallet_keys_current on wallet_keys ((true)) where retired_at is null;

    create table wallets (
      id uuid primary key,
      business_id uuid not null references businesses,
      chain text not null,
      address text not null,
      public_key text not null,
      name text,
      source text not null check (source in ('private_key', 'mnemonic')),
      derivation_path text,
      key_id uuid not null references wallet_keys,
      sealed bytea not null,
      created_at timestamptz not null default now(),
      archived_at timestamptz,
      check ((derivation_path is null) = (source = 'private_key'))
    );
    create unique index wallets_address on wallets (business_id, chain, address) where archived_at is null;
    create index wallets_list on wallets (business_id, id);
    create index wallets_key on wallets (key_id);

    create table outgoing_pauses (
      chain text primary key,
      reason text not null,
      paused_at timestamptz not null default now()
    );
    comment on table outgoing_pauses is 'chains on which nothing is signed or sent for now';

    create table database_identity (
      one boolean primary key default true check (one),
      identity text not null,
      acknowledged_at timestamptz not null default now()
    );
    comment on table database_identity is 'what this database was when it was last acknowledged: while it is another, nothing is signed or sent';
    create function present_identity() returns text language plpgsql volatile as $$
      declare cluster text := 'untold';
      begin
        begin
          select format('%s/%s', system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int) into cluster
            from pg_control_system();
        exception when object_not_in_prerequisite_state or feature_not_supported or insufficient_privilege or undefined_function then
          -- Some managed databases do not show it.
        end;
        return format('%s/%s', cluster, 'database_identity'::regclass::oid);
      end
    $$;
    comment on function present_identity is
      'cluster, its timeline, and the table''s own number: a recovery from the archive, a promotion, and a dump that is read in change one of them';
    insert into database_identity (identity) values (present_identity());

    create table outgoing (
      id uuid primary key,
      business_id uuid not null references businesses,
      purpose text not null check (purpose in ('transfer')),
      chain text not null,
      signer text not null check (signer in ('caller', 'external', 'wallet')),
      wallet_id uuid references wallets,
      from_address text not null,
      to_address text not null,
      symbol text not null,
      contract text,
      decimals integer not null,
      amount numeric(78, 0) not null check (amount > 0),
      memo text,
      memo_type text check (memo_type in ('text', 'id', 'hash', 'return')),
      gas_price numeric(78, 0),
      gas_limit numeric(78, 0),
      status text not null check (status in ('created', 'signed', 'broadcast', 'confirmed', 'failed', 'expired', 'unknown')),
      reason text,
      message text,
      tx_id text,
      block_height bigint,
      block_id text,
      fee numeric(78, 0),
      gas_used numeric(78, 0),
      looks integer not null default 0,
      renewals integer not null default 0,
      gone_since timestamptz,
      next_look_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((signer = 'wallet') = (wallet_id is not null)),
      check ((memo is null) = (memo_type is null))
    );
    comment on table outgoing is 'everything that leaves an address by our hand: one row for each intent';
    comment on column outgoing.contract is 'null: the native coin';
    comment on column outgoing.looks is 'fences: a look that another one has overtaken writes nothing';
    comment on column outgoing.renewals is 'times that it was signed anew because nothing that was signed before could come';
    comment on column outgoing.gone_since is 'since when the chain has said, without another word, that nothing that was signed can come';
    comment on column outgoing.tx_id is 'the transaction to look for: the one in a block, else the one that was sent last';
    comment on column outgoing.next_look_at is 'when a worker looks at it again; null: nothing about it can change any more';
    create index outgoing_due on outgoing (next_look_at) where next_look_at is not null;
    create index outgoing_list on outgoing (business_id, id);
    create index outgoing_wallet on outgoing (wallet_id) where wallet_id is not null;

    create table outgoing_transactions (
      outgoing_id uuid not null references outgoing,
      number integer not null,
      chain text not null,
      sequence numeric(20, 0),
      terms jsonb not null,
      tx_id text,
      bytes bytea,
      expires_height numeric(20, 0),
      expires_at timestamptz,
      sends integer not null default 0,
      failures integer not null default 0,
      accepted_at timestamptz,
      is_outbid boolean not null default false,
      refused text,
      void_at timestamptz,
      created_at timestamptz not null default now(),
      signed_at timestamptz,
      primary key (outgoing_id, number),
      check ((tx_id is null) = (signed_at is null)),
      check (bytes is not null or signed_at is null or void_at is not null or refused is not null)
    );
    comment on table outgoing_transactions is 'transactions that may carry an intent; on EVM those of one intent share its nonce, elsewhere the next comes when the last is void';
    comment on column outgoing_transactions.sends is 'counted before each send: with 1 and a plain refusal nobody has the bytes';
    comment on column outgoing_transactions.failures is 'times that the treasury could not sign it';
    comment on column outgoing_transactions.is_outbid is 'whether the network said last that something else waits with its sequence';
    comment on column outgoing_transactions.refused is 'what the network said to it: the bytes are gone then';
    comment on column outgoing_transactions.void_at is 'it can never be in a block: nobody ever had it, or its time is over';
    create unique index outgoing_transactions_tx on outgoing_transactions (chain, tx_id) where tx_id is not null;
    create index outgoing_transactions_wanted on outgoing_transactions (created_at) where signed_at is null and void_at is null;

    create table outgoing_sequences (
      chain text not null,
      address text not null,
      sequence numeric(20, 0) not null,
      outgoing_id uuid not null references outgoing,
      primary key (chain, address, sequence)
    );
    comment on table outgoing_sequences is 'whose a nonce (EVM) or sequence number (Stellar) is, until it is used for good: no two intents can have the same';
    create index outgoing_sequences_owner on outgoing_sequences (outgoing_id);

    create table prepared_transfers (
      id uuid primary key,
      business_id uuid not null references businesses,
      chain text not null,
      intent jsonb not null,
      terms jsonb not null,
      sequence numeric(20, 0),
      expires_at timestamptz not null,
      submitted_at timestamptz,
      created_at timestamptz not null default now()
    );
    comment on table prepared_transfers is 'transfers that somebody else was asked to sign';
    create index prepared_transfers_expiry on prepared_transfers (expires_at) where submitted_at is null;

    create function notify_outgoing() returns trigger language plpgsql as $$
    begin
      perform pg_notify('cowry_outgoing', '');
      return null;
    end $$;
    create trigger outgoing_notify after insert on outgoing for each statement execute function notify_outgoing();
    create trigger outgoing_transactions_notify after insert on outgoing_transactions for each statement execute function notify_outgoing();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table prepared_transfers; drop table outgoing_sequences; drop table outgoing_transactions; drop table outgoing;
    drop function present_identity(); drop table database_identity; drop table outgoing_pauses; drop table wallets; drop table wallet_keys;
    drop function notify_outgoing()
  `)
}
