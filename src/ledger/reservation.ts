import type { Tx } from '../platform/database/db.ts'
import type { BusinessAccountName } from './account.ts'
import type { Cause, Entry, Posting } from './entry.ts'

/**
 * Money of a business that waits to leave: from `available` to `payouts_held`. A reservation ends exactly
 * once, posted or released: both are step 2 of its cause, so that the database refuses a second end.
 */
interface Reservation {
  businessId: string
  cause: Cause & { kind: 'payout' | 'refund' }
}

/** Refused by `post` where `available` has less. */
export const reserved = ({ businessId, cause }: Reservation, asset: string, amount: bigint): Entry => ({
  kind: `${cause.kind}.reserved`,
  businessId,
  cause,
  step: 1,
  postings: [
    { account: { name: 'available', businessId, asset }, amount },
    { account: { name: 'payouts_held', businessId, asset }, amount: -amount },
  ],
})

/**
 * The reserved money has left.
 * @param to credits of the accounts that it left from, and of what the platform earned; their sum is what was
 * reserved
 * @throws Error if nothing was reserved
 */
export async function posted(tx: Tx, reservation: Reservation, to: readonly Posting[]): Promise<Entry> {
  const { asset, amount } = await heldInBooks(tx, reservation, 'payouts_held')
  return { ...ending(reservation, 'posted'), postings: [heldBy(reservation, asset, amount), ...to] }
}

/**
 * The reserved money stays: it goes back to `available`, where it pays a debt first.
 * @throws Error if nothing was reserved
 */
export async function released(tx: Tx, reservation: Reservation): Promise<Entry> {
  const { businessId } = reservation
  const { asset, amount } = await heldInBooks(tx, reservation, 'payouts_held')
  const back = { account: { name: 'available', businessId, asset } as const, amount: -amount }
  return { ...ending(reservation, 'released'), postings: [heldBy(reservation, asset, amount), back] }
}

/**
 * The same of many payouts of a business.
 * @throws Error if nothing was reserved for one of them
 */
export async function releasedPayouts(tx: Tx, businessId: string, ids: readonly string[]): Promise<Entry[]> {
  const rows = await tx.query<{ id: string; asset: string; amount: string }>(
    `select e.reference as id, p.asset, (-p.amount)::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.reference = any($1::text[]) and e.cause_kind = 'payout' and e.step = 1 and e.business_id = $2 and a.name = 'payouts_held'`,
    [ids, businessId],
  )
  const held = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const found = held.get(id)
    if (!found) throw new Error(`nothing is reserved for payout ${id}`)
    const reservation: Reservation = { businessId, cause: { kind: 'payout', id } }
    const amount = BigInt(found.amount)
    const back = {
      account: { name: 'available', businessId, asset: found.asset } as const,
      amount: -amount,
    }
    return {
      ...ending(reservation, 'released'),
      postings: [heldBy(reservation, found.asset, amount), back],
    }
  })
}

const ending = ({ businessId, cause }: Reservation, end: 'posted' | 'released') => ({
  kind: `${cause.kind}.${end}`,
  businessId,
  cause,
  step: 2,
})

const heldBy = ({ businessId }: Reservation, asset: string, amount: bigint): Posting => ({
  account: { name: 'payouts_held', businessId, asset },
  amount,
})

/**
 * What the first entry of a cause put into an account, from the books, so that an end moves what was
 * reserved.
 * @throws Error if nothing was reserved
 */
export async function heldInBooks(
  tx: Tx,
  { businessId, cause }: { businessId: string; cause: Cause },
  account: BusinessAccountName,
): Promise<{ asset: string; amount: bigint }> {
  const [row] = await tx.query<{ asset: string; amount: string }>(
    `select p.asset, (-p.amount)::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.reference = $1 and e.cause_kind = $2 and e.step = 1 and e.business_id = $3 and a.name = $4`,
    [cause.id, cause.kind, businessId, account],
  )
  if (!row) throw new Error(`nothing is reserved for ${cause.kind} ${cause.id}`)
  return { asset: row.asset, amount: BigInt(row.amount) }
}
