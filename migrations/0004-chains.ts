import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table chain_cursors (
      chain text primary key,
      epoch bigint not null default 0,
      height bigint,
      confirmed_time timestamptz,
      updated_at timestamptz not null default now()
    );
    comment on column chain_cursors.epoch is 'the leader''s; a commit that names another one writes nothing';
    comment on column chain_cursors.confirmed_time is 'time of the newest block that has the chain''s confirmations';

    create table blocks (
      chain text not null,
      height bigint not null,
      id text not null,
      parent_id text not null,
      time timestamptz not null,
      canonical boolean not null default true,
      primary key (chain, height, id)
    );
    create unique index blocks_canonical on blocks (chain, height) where canonical;

    create table watches (
      id uuid primary key,
      family text not null,
      chain text,
      address bytea not null,
      business_id uuid not null references businesses,
      purpose text not null check (purpose in ('session')),
      subject_id uuid not null,
      effective_from timestamptz not null default now(),
      removed_at timestamptz,
      xid xid8 not null default pg_current_xact_id()
    );
    comment on column watches.chain is 'null: every chain of the family';
    comment on column watches.xid is 'the transaction that wrote the row last; the tail is read by it';
    create index watches_tail on watches (family, xid);
    create index watches_address on watches (family, address);

    create function restamp_watch() returns trigger language plpgsql as $$
    begin
      new.xid := pg_current_xact_id();
      return new;
    end $$;
    create trigger watches_restamp before update on watches for each row execute function restamp_watch();
    create function keep_watch() returns trigger language plpgsql as $$
    begin
      raise exception 'a watch is ended by removed_at, never deleted';
    end $$;
    create trigger watches_keep before delete on watches for each row execute function keep_watch();

    create table transfers (
      id uuid primary key,
      chain text not null,
      block_height bigint not null,
      block_id text not null,
      block_time timestamptz not null,
      tx_id text not null,
      movement_key text not null,
      contract text,
      token text,
      from_address text not null,
      to_address text not null,
      amount numeric(78, 0) not null check (amount > 0),
      canonical boolean not null default true,
      generation integer not null default 1,
      unique (chain, block_id, tx_id, movement_key)
    );
    create index transfers_tx on transfers (chain, tx_id);

    create table detections (
      id uuid primary key,
      transfer_id uuid not null references transfers,
      watch_id uuid not null references watches,
      business_id uuid not null references businesses,
      subject_id uuid not null,
      chain text not null,
      block_height bigint not null,
      depth integer not null check (depth > 0),
      status text not null default 'seen' check (status in ('seen', 'confirmed', 'reverted')),
      generation integer not null default 1,
      seen_at timestamptz not null default now(),
      confirmed_at timestamptz,
      reverted_at timestamptz,
      unique (transfer_id, watch_id)
    );
    create index detections_unconfirmed on detections (chain, block_height) where status = 'seen';
    create index detections_height on detections (chain, block_height);
    create index detections_subject on detections (subject_id);
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table detections; drop table transfers; drop table watches; drop function restamp_watch(); drop function keep_watch();
    drop table blocks; drop table chain_cursors
  `)
}
