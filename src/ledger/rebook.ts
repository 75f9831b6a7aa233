import type { Tx } from '../platform/database/db.ts'
import type { Account } from './account.ts'
import { type Cause, type Entry, type EntryOf, type Posting, summed } from './entry.ts'

/**
 * The balance booked for one cause on a credit account: owed to a business, or to an unknown owner.
 * `available` stands for `receivable` too: a reversal may have found less than was credited.
 */
export interface Held {
  account: Account
  amount: bigint
}

/**
 * The entry that replaces what is booked for its cause; null if that is booked already. It reverses the
 * amounts as posted: the amount of the cause may have changed since.
 * @param wanted one for each account; empty: nothing is owed
 * @param deposits the platform's account that received the money, by asset
 */
export async function rebook(
  tx: Tx,
  entry: EntryOf,
  wanted: readonly Held[],
  deposits: (asset: string) => Account,
): Promise<Entry | null> {
  const held = await heldFor(tx, entry)
  if (held.length === wanted.length && wanted.every((each) => held.some((one) => isSame(one, each))))
    return null
  const lines = summed([...held, ...wanted.map(({ account, amount }) => ({ account, amount: -amount }))])
  const counter = [...Map.groupBy(lines, ({ account }) => account.asset)].map(([asset, of]): Posting => {
    return { account: deposits(asset), amount: -of.reduce((sum, { amount }) => sum + amount, 0n) }
  })
  return { ...entry, mayOwe: true, postings: [...lines, ...counter].filter(({ amount }) => amount !== 0n) }
}

const isSame = (one: Held, other: Held): boolean =>
  one.account.name === other.account.name &&
  one.account.asset === other.account.asset &&
  one.amount === other.amount

/** What is booked for a cause by now. */
export async function heldFor(
  tx: Tx,
  { cause, businessId }: { cause: Cause; businessId: string | null },
): Promise<Held[]> {
  const rows = await tx.query<{ name: string; asset: string; amount: string }>(
    `select case a.name when 'receivable' then 'available' else a.name end as name, p.asset, (-sum(p.amount))::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.reference = $1 and e.cause_kind = $2 and e.business_id is not distinct from $3 and a.business_id is not distinct from $3
       and (a.normal_side = 'credit' or a.name = 'receivable')
     group by 1, 2 having sum(p.amount) <> 0 order by 1, 2`,
    [cause.id, cause.kind, businessId],
  )
  return rows.map(({ name, asset, amount }) => ({
    account: { name, businessId, asset } as Account,
    amount: BigInt(amount),
  }))
}
