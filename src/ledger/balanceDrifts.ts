import type { Tx } from '../platform/database/db.ts'
import { type LedgerDrift, maxDrifts } from './drift.ts'

/**
 * Running balances that differ from the sum of their postings. One statement, so that both are of one moment.
 */
export async function balanceDrifts(tx: Tx): Promise<LedgerDrift[]> {
  const rows = await tx.query<{
    id: string
    name: string
    businessId: string | null
    asset: string
    expected: string
    found: string | null
  }>(
    `select a.id, a.name, a.business_id as "businessId", a.asset,
       (case a.normal_side when 'debit' then 1 else -1 end * coalesce(s.amount, 0))::text as expected, b.balance::text as found
     from ledger_accounts a
       left join (select account_id, sum(amount) as amount from ledger_postings group by account_id) s on s.account_id = a.id
       left join (select account_id, sum(balance) as balance from ledger_balances group by account_id) b on b.account_id = a.id
     where case a.normal_side when 'debit' then 1 else -1 end * coalesce(s.amount, 0) is distinct from b.balance
     order by a.id limit ${maxDrifts}`,
  )
  return rows.map(({ id, name, businessId, asset, expected, found }) => ({
    kind: 'balance',
    accountId: id,
    subject: `${name} ${asset}${businessId === null ? '' : ` of business ${businessId}`}`,
    expected,
    found: found ?? 'no row',
  }))
}

/** Assets whose postings do not sum to zero. */
export async function assetDrifts(tx: Tx): Promise<LedgerDrift[]> {
  const rows = await tx.query<{ asset: string; sum: string }>(
    `select asset, sum(amount)::text as sum from ledger_postings group by asset having sum(amount) <> 0 order by asset limit ${maxDrifts}`,
  )
  return rows.map(({ asset, sum }) => ({
    kind: 'asset',
    accountId: null,
    subject: asset,
    expected: '0',
    found: sum,
  }))
}
