import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table ledger_accounts (
      id bigint generated always as identity primary key,
      name text not null,
      business_id uuid references businesses,
      asset text not null,
      normal_side text not null check (normal_side in ('debit', 'credit')),
      created_at timestamptz not null default now(),
      unique nulls not distinct (name, business_id, asset),
      unique (id, asset)
    );
    comment on column ledger_accounts.asset is '<chain>:<token>, or fiat:<ISO code>';

    create table ledger_entries (
      id uuid primary key,
      kind text not null,
      business_id uuid references businesses,
      reference text not null,
      created_at timestamptz not null default now()
    );
    create index ledger_entries_reference on ledger_entries (reference);

    create table ledger_postings (
      id bigint generated always as identity primary key,
      entry_id uuid not null references ledger_entries,
      account_id bigint not null,
      asset text not null,
      amount numeric(78, 0) not null check (amount <> 0),
      created_at timestamptz not null default now(),
      foreign key (account_id, asset) references ledger_accounts (id, asset)
    );
    comment on column ledger_postings.amount is 'base units; a debit is positive, a credit negative';
    create index ledger_postings_entry on ledger_postings (entry_id);
    create index ledger_postings_account on ledger_postings (account_id);

    create function check_entry_balances() returns trigger language plpgsql as $$
    declare unbalanced text;
    begin
      select string_agg(asset || ' is off by ' || off, ', ') into unbalanced
      from (select asset, sum(amount) as off from ledger_postings where entry_id = new.entry_id group by asset having sum(amount) <> 0) as sums;
      if unbalanced is not null then
        raise exception 'ledger entry % does not balance: %', new.entry_id, unbalanced using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_balances after insert on ledger_postings
      deferrable initially deferred for each row execute function check_entry_balances();

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
    end $$;
    create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings for each statement execute function refuse_change();
    create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries for each statement execute function refuse_change();
    create trigger ledger_accounts_append_only before update or delete or truncate on ledger_accounts for each statement execute function refuse_change();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table ledger_postings; drop table ledger_entries; drop table ledger_accounts;
    drop function check_entry_balances(); drop function refuse_change()
  `)
}
