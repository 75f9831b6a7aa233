import type { Queryable } from '../platform/db.ts'
import type { Account } from './account.ts'

/** The balance in base units, computed from postings; positive on the account's normal side. */
export async function balanceOf(db: Queryable, account: Account): Promise<bigint> {
  const [row] = await db.query<{ balance: string }>(
    `select coalesce(sum(case a.normal_side when 'debit' then p.amount else -p.amount end), 0) as balance
     from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.name = $1 and a.business_id is not distinct from $2 and a.asset = $3`,
    [account.name, account.businessId, account.asset],
  )
  return BigInt(row?.balance ?? 0)
}
