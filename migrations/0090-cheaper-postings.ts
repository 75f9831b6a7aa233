import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Postings cost less. The lock of balances is one statement with a plan that is kept, reads each account by
 * its index, and leaves the slots of the platform's accounts to the postings: they are locked last, and until
 * commit alone. The postings of a statement are read by one trigger instead of two.
 *
 * Balances are locked in the order of their accounts, those that can be negative after all others.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    lock table ledger_postings in share row exclusive mode;
    drop trigger ledger_postings_balanced on ledger_postings;
    drop trigger ledger_postings_balances on ledger_postings;
    drop function note_unbalanced_entries();
    drop function add_to_ledger_balances();
    drop function lock_ledger_balances(text[], uuid[], text[]);

    -- A row for each account, with its place in the arguments; no row, and no lock, if one is missing. The balance is null where it can be negative.
    create function lock_ledger_balances(names text[], businesses uuid[], assets text[])
      returns table (place bigint, id bigint, balance numeric) language plpgsql security definer as $$
    #variable_conflict use_column
    begin
      return query
        with found as materialized (
          select w.place, a.id, w.business_id is not null or w.name = 'rewards' as has_one_row
          from unnest(names, businesses, assets) with ordinality as w(name, business_id, asset, place) cross join lateral (
            -- Two halves, because no index serves "is not distinct from". "offset 0" finds each by the index: a join would read all accounts.
            select id from ledger_accounts where name = w.name and business_id = w.business_id and asset = w.asset
            union all
            select id from ledger_accounts where w.business_id is null and name = w.name and business_id is null and asset = w.asset
            offset 0
          ) a
        ), complete as materialized (
          select count(*) = cardinality(names) as yes from found
        ), locked as materialized (
          select account_id, balance from ledger_balances
          where account_id = any(array(select id from found where has_one_row and (select yes from complete))) and slot = 0
          order by account_id for no key update
        )
        select f.place, f.id, l.balance from found f left join locked l on l.account_id = f.id where (select yes from complete);
    end $$;

    -- The order of locks is that of accounts, to avoid deadlocks: an update alone promises no order. Each balance is found by its whole key: an account
    -- that many post to has many dead versions in its other slots.
    create function apply_ledger_postings() returns trigger language plpgsql security definer as $$
    begin
      if exists (select from added group by entry_id, asset having sum(amount) <> 0) then
        insert into ledger_unbalanced (entry_id)
        select distinct entry_id from (select entry_id from added group by entry_id, asset having sum(amount) <> 0) as off;
      end if;
      with changes as materialized (
        select s.account_id, a.slot, s.amount * a.sign as amount
        from (select account_id, sum(amount) as amount from added group by account_id) s cross join lateral (
          select case when business_id is null and name <> 'rewards' then pg_backend_pid() % 16 else 0 end as slot, case normal_side when 'debit' then 1 else -1 end as sign
          from ledger_accounts where id = s.account_id offset 0
        ) a
      ), locked as materialized (
        select b.account_id, b.slot, c.amount
        from changes c join ledger_balances b on b.account_id = c.account_id and b.slot = c.slot
        order by b.can_be_negative, b.account_id for no key update of b
      )
      update ledger_balances b set balance = b.balance + l.amount from locked l where b.account_id = l.account_id and b.slot = l.slot;
      return null;
    end $$;
    create trigger ledger_postings_applied after insert on ledger_postings
      referencing new table as added for each statement execute function apply_ledger_postings();

    do $$ begin
      execute format('alter function apply_ledger_postings() set search_path = %I, pg_temp', current_schema());
      execute format('alter function lock_ledger_balances(text[], uuid[], text[]) set search_path = %I, pg_temp', current_schema());
    end $$;
    -- By default each call is planned again, because few accounts look cheaper than the plan for any number of them. That took longer than the lock.
    alter function lock_ledger_balances(text[], uuid[], text[]) set plan_cache_mode = force_generic_plan;
    -- Revoked until the grants are applied.
    revoke all on function lock_ledger_balances(text[], uuid[], text[]) from public;
  `)
}

/** The functions of 0061 and 0088. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    lock table ledger_postings in share row exclusive mode;
    drop trigger ledger_postings_applied on ledger_postings;
    drop function apply_ledger_postings();
    drop function lock_ledger_balances(text[], uuid[], text[]);

    create function note_unbalanced_entries() returns trigger language plpgsql security definer as $$
    begin
      insert into ledger_unbalanced (entry_id)
      select distinct entry_id from (select entry_id from added group by entry_id, asset having sum(amount) <> 0) as off;
      return null;
    end $$;
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

    create trigger ledger_postings_balanced after insert on ledger_postings
      referencing new table as added for each statement execute function note_unbalanced_entries();
    create trigger ledger_postings_balances after insert on ledger_postings
      referencing new table as added for each statement execute function add_to_ledger_balances();
    do $$ begin
      execute format('alter function note_unbalanced_entries() set search_path = %I, pg_temp', current_schema());
      execute format('alter function add_to_ledger_balances() set search_path = %I, pg_temp', current_schema());
      execute format('alter function lock_ledger_balances(text[], uuid[], text[]) set search_path = %I, pg_temp', current_schema());
    end $$;
    revoke all on function lock_ledger_balances(text[], uuid[], text[]) from public;
  `)
}
