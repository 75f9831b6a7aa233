import type { Queryable } from '../src/platform/database/db.ts'

/**
 * An entry is checked at commit only if a statement wrote postings of it that do not balance by themselves.
 * Before, each posting was checked at commit. If an entry as a whole does not balance, one of its statements
 * does not.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    lock table ledger_postings in share row exclusive mode;
    create table ledger_unbalanced (entry_id uuid not null);
    comment on table ledger_unbalanced is 'entries that a statement of this transaction has left unbalanced; checked, and empty, at commit';

    create function note_unbalanced_entries() returns trigger language plpgsql security definer as $$
    begin
      insert into ledger_unbalanced (entry_id)
      select distinct entry_id from (select entry_id from added group by entry_id, asset having sum(amount) <> 0) as off;
      return null;
    end $$;
    create function check_unbalanced_entry() returns trigger language plpgsql security definer as $$
    declare unbalanced text;
    begin
      select string_agg(asset || ' is off by ' || off, ', ') into unbalanced
      from (select asset, sum(amount) as off from ledger_postings where entry_id = new.entry_id group by asset having sum(amount) <> 0) as sums;
      if unbalanced is not null then
        raise exception 'ledger entry % does not balance: %', new.entry_id, unbalanced using errcode = 'check_violation';
      end if;
      delete from ledger_unbalanced where entry_id = new.entry_id;
      return null;
    end $$;

    drop trigger ledger_postings_balanced on ledger_postings;
    drop function check_entry_balances();
    create trigger ledger_postings_balanced after insert on ledger_postings
      referencing new table as added for each statement execute function note_unbalanced_entries();
    create constraint trigger ledger_unbalanced_checked after insert on ledger_unbalanced
      deferrable initially deferred for each row execute function check_unbalanced_entry();

    do $$ begin
      execute format('alter function note_unbalanced_entries() set search_path = %I, pg_temp', current_schema());
      execute format('alter function check_unbalanced_entry() set search_path = %I, pg_temp', current_schema());
    end $$;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    lock table ledger_postings in share row exclusive mode;
    drop trigger ledger_postings_balanced on ledger_postings;
    drop function note_unbalanced_entries();
    drop table ledger_unbalanced;
    drop function check_unbalanced_entry();
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
    create constraint trigger ledger_postings_balanced after insert on ledger_postings
      deferrable initially deferred for each row execute function check_entry_balances();
  `)
}
