import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The addresses that hold credited money: one row for each that a payment was posted for. A trigger sees
 * every writer.
 */
const source = (rows: string) => `
  insert into sweep_sources (chain, address, family, business_id)
  select distinct t.chain, t.to_address, s.family, s.business_id
  from ${rows} p join detections d on d.id = p.detection_id join transfers t on t.id = d.transfer_id join pos_sessions s on s.id = p.session_id
  where p.posted <> 'none' and s.family <> 'stellar'
  on conflict (chain, address) do update set next_at = least(sweep_sources.next_at, now())`

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table treasury_addresses (
      family text primary key,
      address text not null,
      updated_at timestamptz not null default now()
    );
    comment on table treasury_addresses is 'the treasury''s own address of each family: derived and written by the treasury, which never reads it';

    create table sweep_sources (
      chain text not null,
      address text not null,
      family text not null,
      business_id uuid not null references businesses,
      next_at timestamptz default now(),
      failures integer not null default 0,
      forced boolean not null default false,
      waits boolean not null default false,
      planned_at timestamptz,
      primary key (chain, address)
    );
    comment on table sweep_sources is 'deposit addresses that hold credited money, or held it';
    comment on column sweep_sources.next_at is 'when a worker works out what is to be swept; null: nothing before the next payment';
    comment on column sweep_sources.failures is 'sweeps in a row that failed: the next waits longer';
    comment on column sweep_sources.forced is 'the operator wants it swept now, whatever its business has set';
    comment on column sweep_sources.waits is 'it holds money that its business''s settings leave there: a change of these plans it again';
    create index sweep_sources_waiting on sweep_sources (business_id, chain, planned_at) where waits;
    create index sweep_sources_forced on sweep_sources (next_at) where forced;
    create index sweep_sources_due on sweep_sources (business_id, chain, next_at) where next_at is not null;

    create table sweeps (
      id uuid primary key,
      chain text not null,
      address text not null,
      token text not null,
      contract text,
      decimals integer not null,
      amount numeric(78, 0) not null check (amount > 0),
      payer text not null check (payer in ('deposit', 'treasury')),
      status text not null default 'planned'
        check (status in ('planned', 'waiting', 'funding', 'authorizing', 'ready', 'sending', 'swept', 'done', 'failed')),
      reason text,
      intent_id uuid references intents,
      gas_intent_id uuid references intents,
      cost numeric(78, 0),
      tries integer not null default 0,
      next_at timestamptz default now(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      foreign key (chain, address) references sweep_sources
    );
    comment on table sweeps is 'what moves from a deposit address to the treasury: one asset of one address a row. The rows are their own outbox';
    comment on column sweeps.payer is 'whose native coin pays the fee';
    comment on column sweeps.intent_id is 'the last that moves it; several sweeps may share one';
    comment on column sweeps.gas_intent_id is 'the last that funds its gas';
    comment on column sweeps.cost is 'base units of the native coin: expected while it is open';
    create unique index sweeps_open on sweeps (chain, address, token) where status not in ('done', 'failed');
    create index sweeps_due on sweeps (next_at) where next_at is not null;
    create index sweeps_address on sweeps (chain, address);
    create index sweeps_list on sweeps (id desc);
    create index sweeps_ready on sweeps (chain, next_at) where status = 'ready';

    create table sweep_intents (
      intent_id uuid not null references intents,
      sweep_id uuid not null references sweeps,
      primary key (intent_id, sweep_id)
    );
    comment on table sweep_intents is 'every intent that was made for a sweep';
    create index sweep_intents_sweep on sweep_intents (sweep_id);
    create index intents_of_platform on intents (chain, from_address) where business_id is null;
    create index intents_gas on intents (chain, to_address) where purpose = 'gas';

    create table sweep_authorizations (
      id uuid primary key,
      chain text not null,
      contract text not null,
      from_address text not null,
      to_address text not null,
      amount numeric(78, 0) not null check (amount > 0),
      nonce bytea not null check (length(nonce) = 32),
      valid_before timestamptz not null,
      signature bytea,
      created_at timestamptz not null default now(),
      unique (chain, contract, from_address, nonce)
    );
    comment on table sweep_authorizations is 'EIP-3009: moves of a token that the treasury has authorized, to itself. No other process writes it';
    comment on column sweep_authorizations.signature is 'r, s, v; null until it is signed, after its nonce was stored';
    create index sweep_authorizations_newest on sweep_authorizations (chain, contract, from_address, created_at desc);

    create function mark_sweep_source() returns trigger language plpgsql as $$
    begin
      ${source('(select new.detection_id, new.session_id, new.posted)')};
      return null;
    end $$;
    create trigger session_payments_swept after insert or update of posted on session_payments
      for each row when (new.posted <> 'none') execute function mark_sweep_source();
    ${source('session_payments')};
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop trigger session_payments_swept on session_payments;
    drop function mark_sweep_source();
    drop table sweep_authorizations;
    drop index intents_gas;
    drop index intents_of_platform;
    drop table sweep_intents;
    drop table sweeps;
    drop table sweep_sources;
    drop table treasury_addresses
  `)
}
