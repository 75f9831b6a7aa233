import type { Queryable } from '../src/platform/database/db.ts'

const known = (more: string) => `
  alter table ledger_accounts drop constraint ledger_accounts_known;
  alter table ledger_accounts add constraint ledger_accounts_known check (normal_side = case
    when business_id is not null then case
      when name in ('pending', 'available', 'payouts_held', 'stakes', 'credit', 'credit_held') then 'credit'
      when name = 'receivable' then 'debit'
      else 'unknown' end
    when name in ('fees', 'fx_margin'${more}, 'rewards', 'penalties', 'rounding', 'suspense', 'exchange', 'capital') then 'credit'
    when name = 'network_costs' or name ~ '^(deposits|treasury|partner):[a-z0-9-]+$' then 'debit'
    else 'unknown' end) not valid`

/** A platform's account more: what bank payouts gain or lose by exchange. */
export async function up(db: Queryable): Promise<void> {
  await db.query(known(", 'fx_result'"))
}

/** An account that has postings stays: accounts of before are not checked. */
export async function down(db: Queryable): Promise<void> {
  await db.query(known(''))
}
