import type { Tx } from '../platform/db.ts'
import { type Account, type Posting, post } from './post.ts'

/** The balance booked under one reference on a credit account: owed to a business, or to an unknown owner. */
interface Held {
  account: Account
  amount: bigint
}

/**
 * Replaces what is booked under a reference, in one entry. Reverses the amounts as posted: the amount of the cause may have changed since.
 * @param wanted null: nothing
 * @param deposits the platform's account that received the money, by asset
 * @returns whether anything was posted
 */
export async function rebook(tx: Tx, entry: Parameters<typeof post>[1], wanted: Held | null, deposits: (asset: string) => Account): Promise<boolean> {
  const held = await heldUnder(tx, entry)
  const [only] = held
  if (wanted === null ? held.length === 0 : held.length === 1 && only && isSame(only, wanted)) return false
  const lines = [...held, ...(wanted ? [{ account: wanted.account, amount: -wanted.amount }] : [])]
  const counter = [...Map.groupBy(lines, ({ account }) => account.asset)].map(([asset, of]): Posting => {
    return { account: deposits(asset), amount: -of.reduce((sum, { amount }) => sum + amount, 0n) }
  })
  await post(
    tx,
    entry,
    [...lines, ...counter].filter(({ amount }) => amount !== 0n),
  )
  return true
}

const isSame = (one: Held, other: Held): boolean =>
  one.account.name === other.account.name && one.account.asset === other.account.asset && one.amount === other.amount

async function heldUnder(tx: Tx, { reference, businessId }: { reference: string; businessId: string | null }): Promise<Held[]> {
  const rows = await tx.query<{ name: string; asset: string; amount: string }>(
    `select a.name, p.asset, (-sum(p.amount))::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.reference = $1 and e.business_id is not distinct from $2 and a.business_id is not distinct from $2 and a.normal_side = 'credit'
     group by a.name, p.asset having sum(p.amount) <> 0 order by a.name, p.asset`,
    [reference, businessId],
  )
  return rows.map(({ name, asset, amount }) => ({ account: { name, businessId, asset } as Account, amount: BigInt(amount) }))
}
