import type { Queryable } from '../src/platform/database/db.ts'

const known = (places: string) => `
  alter table ledger_accounts drop constraint ledger_accounts_known;
  alter table ledger_accounts add constraint ledger_accounts_known check (normal_side = case
    when business_id is not null then case
      when name in ('pending', 'available', 'payouts_held', 'stakes', 'credit', 'credit_held') then 'credit'
      when name = 'receivable' then 'debit'
      else 'unknown' end
    when name in ('fees', 'fx_margin', 'fx_result', 'rewards', 'penalties', 'rounding', 'suspense', 'exchange', 'capital') then 'credit'
    when name = 'network_costs' or name ~ '^(${places}):[a-z0-9-]+$' then 'debit'
    else 'unknown' end) not valid`

/**
 * Plans, stakes, their payments, and the addresses that hold them. A stake that a transaction pays has the id
 * of its intent.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    ${known('deposits|treasury|staking|partner')};
    create table staking_addresses (
      family text primary key,
      address text not null,
      updated_at timestamptz not null default now()
    );
    create table staking_plans (
      id uuid primary key,
      name text not null,
      description text not null,
      type text not null check (type in ('pooled', 'native')),
      chain text not null,
      token text not null,
      apy numeric(20, 8) not null check (apy >= 0),
      lock_days integer not null check (lock_days >= 0),
      penalty_percent numeric(11, 8) not null check (penalty_percent between 0 and 100),
      min_amount numeric(78, 0) not null check (min_amount > 0),
      max_amount numeric(78, 0) not null check (max_amount >= min_amount),
      stopped_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create table stakes (
      id uuid primary key,
      business_id uuid not null references businesses (id),
      plan_id uuid not null references staking_plans (id),
      root_id uuid not null references stakes (id),
      type text not null check (type in ('pooled', 'native')),
      chain text not null,
      token text not null,
      contract text,
      decimals integer not null,
      amount numeric(78, 0) not null check (amount > 0),
      staked_amount numeric(78, 0) not null check (staked_amount >= amount),
      apy numeric(20, 8) not null,
      lock_days integer not null,
      penalty_percent numeric(11, 8) not null,
      from_address text not null,
      validator text,
      status text not null default 'active' check (status in ('active', 'unstaking', 'withdrawn')),
      reason text,
      created_at timestamptz not null,
      terms_proof bytea not null,
      confirmed_at timestamptz,
      unstaked_at timestamptz,
      unstake_proof bytea,
      penalty numeric(78, 0) check (penalty between 0 and amount),
      rewards numeric(78, 0) check (rewards >= 0),
      rewards_booked boolean not null default false,
      withdraw_requested_at timestamptz,
      withdrawn_at timestamptz,
      next_at timestamptz,
      updated_at timestamptz not null default now(),
      check (status <> 'unstaking' or (unstaked_at is not null and unstake_proof is not null and penalty is not null and rewards is not null))
    );
    create index stakes_of_business on stakes (business_id, id);
    create index stakes_of_root on stakes (root_id);
    create index stakes_due on stakes (next_at) where next_at is not null;
    create index stakes_open on stakes (status, chain, token) where status <> 'withdrawn';
    create table stake_payments (
      intent_id uuid primary key references intents (id),
      stake_id uuid not null references stakes (id),
      principal numeric(78, 0) not null check (principal >= 0),
      rewards numeric(78, 0) not null check (rewards >= 0 and principal + rewards > 0),
      created_at timestamptz not null default now()
    );
    create index stake_payments_of_stake on stake_payments (stake_id);
    create table stake_signatures (
      stake_id uuid not null,
      part text not null check (part in ('principal', 'rewards')),
      intent_id uuid not null,
      root_id uuid not null,
      amount numeric(78, 0) not null,
      primary key (stake_id, part)
    );
    create index stake_signatures_of_root on stake_signatures (root_id);
    comment on table staking_addresses is 'published by the treasury, which derives them from the seed';
    comment on column staking_plans.stopped_at is 'takes no new stakes from then on';
    comment on column stakes.root_id is 'the stake whose transaction holds the money: itself, unless it is the rest of another one';
    comment on column stakes.amount is 'base units; of the rest where a part has left';
    comment on column stakes.staked_amount is 'base units of the transaction of its root';
    comment on column stakes.apy is 'of the day of the stake, as the two after it';
    comment on column stakes.terms_proof is 'of the api: the terms of the root';
    comment on column stakes.confirmed_at is 'the time of the block that confirmed it; null: not confirmed';
    comment on column stakes.unstake_proof is 'of the api: the amount and the times that rewards and penalty follow from';
    comment on column stakes.rewards_booked is 'the account of rewards has paid for them';
    comment on table stake_signatures is 'what the treasury has signed of a stake: each part once'
  `)
}

/** Refused while there are stakes: the version before would not pay them back. */
export async function down(db: Queryable): Promise<void> {
  const [open] = await db.query("select 1 from stakes where status <> 'withdrawn' limit 1")
  if (open)
    throw new Error('there are stakes that are not withdrawn: the version before cannot pay them back')
  await db.query(`
    drop table stake_signatures, stake_payments, stakes, staking_plans, staking_addresses;
    ${known('deposits|treasury|partner')}
  `)
}
