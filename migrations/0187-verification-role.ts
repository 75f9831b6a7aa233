import type { Queryable } from '../src/platform/database/db.ts'

const guarded = ['ledger_accounts', 'ledger_entries', 'events', 'webhook_deliveries', 'audit_log'] as const
const rules: Record<(typeof guarded)[number], string> = {
  ledger_accounts:
    "new.asset = 'USD' and (new.name in ('credit', 'credit_held') or new.name = 'fees' and new.business_id is null)",
  ledger_entries: `new.cause_kind = 'verification' and new.kind in ('verification.held', 'verification.taken', 'verification.returned')
    and new.reverses is null and exists (select from verifications where id = new.reference::uuid and business_id = new.business_id)`,
  events: "new.type like 'verification.%'",
  webhook_deliveries: "new.type like 'verification.%' and new.topic = 'verification'",
  audit_log: "new.action like 'verification.%'",
}
const refuse = (table: string) =>
  `raise exception 'a role of the verification host alone may not add this to ${table}' using errcode = 'insufficient_privilege'`

/**
 * The host that reads files of the public adds only what is about verifications to tables that all areas
 * share. `writes_for_all_areas` does nothing: the right to call it marks the roles that are not limited so
 * (migrations/grants.ts).
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create function writes_for_all_areas() returns boolean language sql immutable as 'select true';
    grant execute on function writes_for_all_areas() to public;
    comment on function writes_for_all_areas() is 'the right to call it is the right to add rows of every area; npm run migrate grants it';

    create function keep_credit_postings() returns trigger language plpgsql as $$
    begin
      -- Fees are only added to: credit can be held, returned and spent, and never made.
      if exists (
        select from added p join ledger_accounts a on a.id = p.account_id join ledger_entries e on e.id = p.entry_id
        where e.cause_kind is distinct from 'verification' or a.asset <> 'USD' or case
          when a.business_id is null then a.name <> 'fees' or p.amount > 0
          else a.name not in ('credit', 'credit_held') or a.business_id is distinct from e.business_id end
      ) then
        ${refuse('ledger_postings')};
      end if;
      return null;
    end $$;
    create trigger ledger_postings_of_verification after insert on ledger_postings referencing new table as added
      for each statement when (not has_function_privilege('writes_for_all_areas()'::regprocedure, 'execute')) execute function keep_credit_postings();
    do $$ begin execute format('alter function keep_credit_postings() set search_path = %I, pg_temp', current_schema()); end $$;
  `)
  for (const table of guarded)
    await db.query(`
      create function keep_verification_${table}() returns trigger language plpgsql as $$
      begin
        if (${rules[table]}) is not true then
          ${refuse(table)};
        end if;
        return new;
      end $$;
      create trigger ${table}_of_verification before insert on ${table}
        for each row when (not has_function_privilege('writes_for_all_areas()'::regprocedure, 'execute')) execute function keep_verification_${table}();
      do $$ begin execute format('alter function keep_verification_${table}() set search_path = %I, pg_temp', current_schema()); end $$;
    `)
}

export async function down(db: Queryable): Promise<void> {
  for (const table of guarded)
    await db.query(
      `drop trigger ${table}_of_verification on ${table}; drop function keep_verification_${table}()`,
    )
  await db.query(`
    drop trigger ledger_postings_of_verification on ledger_postings;
    drop function keep_credit_postings();
    drop function writes_for_all_areas();
  `)
}
