import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * Months that businesses have closed. Entries need no column: the time of an entry is that of its posting,
 * and a month closes only when no entry can get a time in it any more.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table ledger_months (
      business_id uuid not null references businesses,
      month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
      time_zone text not null,
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      asked_by uuid not null references accounts,
      asked_at timestamptz not null default now(),
      closed_by uuid references accounts,
      closed_at timestamptz,
      primary key (business_id, month),
      constraint ledger_months_closed check ((closed_by is null) = (closed_at is null))
    );
    comment on table ledger_months is 'months of the books that a business has closed, or that wait for a second owner to close them';
    create function ledger_months_stay() returns trigger language plpgsql as $$
      begin raise exception 'a closed month of the books cannot be changed' using constraint = 'ledger_months_stay'; end $$;
    create trigger ledger_months_stay before update or delete on ledger_months for each row
      when (old.closed_at is not null) execute function ledger_months_stay()
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table ledger_months; drop function ledger_months_stay()')
}
