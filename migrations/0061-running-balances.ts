import type { Queryable } from '../src/platform/database/db.ts'

/** Running balances, kept by the database for every writer of postings. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    lock table ledger_postings in share row exclusive mode;
    alter trigger ledger_balances on ledger_postings rename to ledger_postings_balanced;

    create table ledger_balances (
      account_id bigint not null references ledger_accounts,
      slot smallint not null,
      balance numeric(78, 0) not null default 0,
      can_be_negative boolean not null,
      primary key (account_id, slot),
      constraint ledger_balances_not_negative check (can_be_negative or balance >= 0),
      constraint ledger_balances_slot check (slot between 0 and 15 and (can_be_negative or slot = 0))
    ) with (fillfactor = 50);
    comment on table ledger_balances is 'written by the triggers of ledger_postings and ledger_accounts alone';
    comment on column ledger_balances.slot is
      'an account of the platform has sixteen, so that transactions that post to it seldom wait for each other; the others have one, which can be checked';
    comment on column ledger_balances.balance is 'base units on the normal side of the account; that of an account with slots is their sum';
  `)
  await moveNegativeBalances(db)
  await db.query(`
    insert into ledger_balances (account_id, slot, balance, can_be_negative)
    select a.id, slot, case when slot = 0 then coalesce(sums.balance, 0) else 0 end, slotted
    from (select id, normal_side, business_id is null and name <> 'rewards' as slotted from ledger_accounts) a
    cross join generate_series(0, 15) slot
    left join (
      select p.account_id, sum(case s.normal_side when 'debit' then p.amount else -p.amount end) as balance
      from ledger_postings p join ledger_accounts s on s.id = p.account_id group by 1
    ) sums on sums.account_id = a.id
    where slotted or slot = 0;

    create function open_ledger_balances() returns trigger language plpgsql security definer as $$
    begin
      insert into ledger_balances (account_id, slot, can_be_negative)
      select id, slot, slotted
      from (select id, business_id is null and name <> 'rewards' as slotted from opened) a cross join generate_series(0, 15) slot
      where slotted or slot = 0;
      return null;
    end $$;
    create trigger ledger_accounts_balances after insert on ledger_accounts
      referencing new table as opened for each statement execute function open_ledger_balances();

    -- Locks in the order of accounts, to avoid deadlocks: an update alone promises no order. "offset 0" finds each account by its index; a join of
    -- few postings would read all accounts.
    create function add_to_ledger_balances() returns trigger language plpgsql security definer as $$
    begin
      with sums as (
        select account_id, sum(amount) as amount from added group by account_id
      ), changes as (
        select s.account_id, a.slot, s.amount * a.sign as amount
        from sums s cross join lateral (
          select case when business_id is null and name <> 'rewards' then pg_backend_pid() % 16 else 0 end as slot, case normal_side when 'debit' then 1 else -1 end as sign
          from ledger_accounts where id = s.account_id offset 0
        ) a
      ), locked as materialized (
        select b.account_id, b.slot, c.amount
        from changes c join ledger_balances b on b.account_id = c.account_id and b.slot = c.slot order by b.account_id for no key update of b
      )
      update ledger_balances b set balance = b.balance + l.amount from locked l where b.account_id = l.account_id and b.slot = l.slot;
      return null;
    end $$;
    create trigger ledger_postings_balances after insert on ledger_postings
      referencing new table as added for each statement execute function add_to_ledger_balances();

    -- Finds accounts, and locks the balances that postings to them will change, in the same order as these do. If an account is missing, nothing is locked.
    create function lock_ledger_balances(names text[], businesses uuid[], assets text[])
      returns table (id bigint, name text, business_id uuid, asset text, balance numeric) language plpgsql security definer as $$
    #variable_conflict use_column
    declare
      ids bigint[] := array(
        -- Two halves, because no index serves "is not distinct from".
        select a.id from unnest(names, businesses, assets) as w(name, business_id, asset)
          join ledger_accounts a on a.name = w.name and a.business_id = w.business_id and a.asset = w.asset
        union all
        select a.id from unnest(names, businesses, assets) as w(name, business_id, asset)
          join ledger_accounts a on a.name = w.name and a.business_id is null and a.asset = w.asset where w.business_id is null);
    begin
      if cardinality(ids) < cardinality(names) then return; end if;
      return query select a.id, a.name, a.business_id, a.asset, b.balance from ledger_balances b join ledger_accounts a on a.id = b.account_id
        where b.account_id = any(ids) and b.slot = case when a.business_id is null and a.name <> 'rewards' then pg_backend_pid() % 16 else 0 end
        order by b.account_id for no key update of b;
    end $$;

    create function refuse_direct_change() returns trigger language plpgsql as $$
    begin
      raise exception '% changes by postings alone', tg_table_name using errcode = 'insufficient_privilege';
    end $$;
    create trigger ledger_balances_by_postings before insert or update or delete or truncate on ledger_balances
      for each statement when (pg_trigger_depth() = 0) execute function refuse_direct_change();

    do $$ begin
      execute format('alter function open_ledger_balances() set search_path = %I, pg_temp', current_schema());
      execute format('alter function add_to_ledger_balances() set search_path = %I, pg_temp', current_schema());
      execute format('alter function lock_ledger_balances(text[], uuid[], text[]) set search_path = %I, pg_temp', current_schema());
    end $$;
    -- Revoked until the grants are applied.
    revoke all on function lock_ledger_balances(text[], uuid[], text[]) from public;
  `)
}

/**
 * A history of before may have taken more from a business than it had: the difference is owed by the
 * business.
 */
async function moveNegativeBalances(db: Queryable): Promise<void> {
  await db.query(`
    create temporary table negative on commit drop as
      select a.id as account_id, a.business_id, a.asset, sum(p.amount) as missing, gen_random_uuid() as entry_id
      from ledger_accounts a join ledger_postings p on p.account_id = a.id
      where a.business_id is not null and a.name in ('pending', 'available') group by a.id having sum(p.amount) > 0;
    insert into ledger_accounts (name, business_id, asset, normal_side)
      select distinct 'receivable', business_id, asset, 'debit' from negative order by 2, 3 on conflict do nothing;
    insert into ledger_entries (id, kind, business_id, cause_kind, reference, step)
      select entry_id, 'receivable.opened', business_id, 'ledger_account', account_id::text,
        1 + (select count(*) from ledger_entries e where e.reference = account_id::text and e.cause_kind = 'ledger_account')
      from negative;
    insert into ledger_postings (entry_id, account_id, asset, amount)
      select entry_id, account_id, asset, -missing from negative
      union all
      select n.entry_id, a.id, n.asset, n.missing
      from negative n join ledger_accounts a on a.name = 'receivable' and a.business_id = n.business_id and a.asset = n.asset;
  `)
}

/** Entries that moved negative balances stay: they are part of the books. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop trigger ledger_postings_balances on ledger_postings;
    drop trigger ledger_accounts_balances on ledger_accounts;
    drop function lock_ledger_balances(text[], uuid[], text[]);
    drop function add_to_ledger_balances();
    drop function open_ledger_balances();
    drop table ledger_balances;
    drop function refuse_direct_change();
    alter trigger ledger_postings_balanced on ledger_postings rename to ledger_balances
  `)
}
