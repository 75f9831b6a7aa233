import type { Queryable } from '../platform/database/db.ts'
import type { ChainDrift } from './context.ts'
import type { CheckedChain } from './expected.ts'

/**
 * What the account of a chain's deposits holds by entries that name no address. On Stellar it holds one
 * account's money, which the entries of any address share.
 */
export async function unattributed(db: Queryable, { name, family }: CheckedChain): Promise<ChainDrift[]> {
  if (family === 'stellar') return []
  const rows = await db.query<{ symbol: string; amount: string }>(
    `select split_part(l.asset, ':', 2) as symbol, sum(l.amount)::text as amount
     from ledger_accounts a join ledger_postings l on l.account_id = a.id join ledger_entries e on e.id = l.entry_id
     where a.name = 'deposits:' || $1 and e.cause_kind not in ('session_payment', 'intent', 'sweep', 'chain_check') group by 1 having sum(l.amount) <> 0`,
    [name],
  )
  return rows.map(({ symbol, amount }) => ({ address: null, symbol, expected: BigInt(amount), found: 0n }))
}
