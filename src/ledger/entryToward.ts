import type { Tx } from '../platform/database/db.ts'
import type { Account } from './account.ts'
import { type Cause, type Entry, type Posting, summed } from './entry.ts'

/**
 * Kinds of the first entry of a cause, of one that changes what is booked, and of one that takes all of it
 * back.
 */
interface Kinds {
  posted: string
  corrected: string
  reversed: string
}

/**
 * The entry that makes what is booked for a cause what is wanted; empty where it is. The caller has locked
 * the row of the cause.
 * @param businessId whose entry it is; null: the platform's. What it no longer has becomes `receivable`
 */
export async function entryToward(
  tx: Tx,
  cause: Cause,
  kinds: Kinds,
  wanted: readonly Posting[],
  businessId: string | null = null,
): Promise<Entry[]> {
  const { count, booked } = await entriesOf(tx, cause)
  const postings = summed([...wanted, ...booked.map(({ account, amount }) => ({ account, amount: -amount }))])
  if (postings.length === 0) return []
  const posted = count === 0 ? kinds.posted : kinds.corrected
  const kind = wanted.length === 0 ? kinds.reversed : posted
  return [
    { kind, businessId, cause, step: count + 1, postings, ...(businessId !== null && { mayOwe: true }) },
  ]
}

/** `available` stands for `receivable` too: an entry may have found less than it took. */
async function entriesOf(tx: Tx, { kind, id }: Cause): Promise<{ count: number; booked: Posting[] }> {
  const rows = await tx.query<{
    name: string
    businessId: string | null
    asset: string
    amount: string
    count: number
  }>(
    `select case a.name when 'receivable' then 'available' else a.name end as name, a.business_id as "businessId", p.asset,
       sum(p.amount)::text as amount, (select count(*)::int from ledger_entries where cause_kind = $1 and reference = $2) as count
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.cause_kind = $1 and e.reference = $2 group by 1, 2, 3`,
    [kind, id],
  )
  const booked = rows.map(({ name, businessId, asset, amount }) => ({
    account: { name, businessId, asset } as Account,
    amount: BigInt(amount),
  }))
  return { count: rows[0]?.count ?? 0, booked }
}
