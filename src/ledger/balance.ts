import type { Queryable } from '../platform/database/db.ts'
import type { Account } from './account.ts'

/** The running balance in base units; positive on the account's normal side. */
export async function balanceOf(db: Queryable, account: Account): Promise<bigint> {
  const { name, businessId, asset } = account
  const [row] = await db.query<{ balance: string }>(
    `select coalesce(sum(b.balance), 0) as balance
     from ledger_accounts a join ledger_balances b on b.account_id = a.id
     where a.name = $1 and a.asset = $2 and a.business_id ${businessId === null ? 'is null' : '= $3'}`,
    businessId === null ? [name, asset] : [name, asset, businessId],
  )
  return BigInt(row?.balance ?? 0)
}
