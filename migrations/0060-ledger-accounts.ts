import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Names and normal sides of accounts are those of src/ledger/account.ts. Accounts of before are not checked:
 * they cannot change. An entry that reverses another names it. The indexes serve lists of entries by
 * business, by kind and by account, newest first: ids are in the order of time.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table ledger_accounts add constraint ledger_accounts_known check (normal_side = case
      when business_id is not null then case
        when name in ('pending', 'available', 'payouts_held', 'stakes', 'credit', 'credit_held') then 'credit'
        when name = 'receivable' then 'debit'
        else 'unknown' end
      when name in ('fees', 'fx_margin', 'rewards', 'penalties', 'rounding', 'suspense', 'exchange', 'capital') then 'credit'
      when name = 'network_costs' or name ~ '^(deposits|treasury|partner):[a-z0-9-]+$' then 'debit'
      else 'unknown' end) not valid;

    alter table ledger_entries add reverses uuid references ledger_entries,
      add constraint ledger_entries_reverses unique (reverses);
    comment on column ledger_entries.reverses is 'the entry that it takes back; at most one takes an entry back';

    create index ledger_entries_business on ledger_entries (business_id, id);
    create index ledger_entries_business_kind on ledger_entries (business_id, kind, id);
    create index ledger_postings_account_entry on ledger_postings (account_id, entry_id);
    drop index ledger_postings_account;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    create index ledger_postings_account on ledger_postings (account_id);
    drop index ledger_postings_account_entry;
    drop index ledger_entries_business_kind;
    drop index ledger_entries_business;
    alter table ledger_entries drop constraint ledger_entries_reverses, drop reverses;
    alter table ledger_accounts drop constraint ledger_accounts_known
  `)
}
