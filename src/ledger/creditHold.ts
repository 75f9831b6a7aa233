import type { Tx } from '../platform/database/db.ts'
import { type Account, accountKey, platformAccount } from './account.ts'
import { type Cause, dollars, type Entry } from './entry.ts'
import { type LockedAccounts, lockedFor } from './lockedAccounts.ts'
import { post, sendEntries } from './post.ts'
import { heldInBooks } from './reservation.ts'

/**
 * Prepaid credit that a request holds: from `credit` to `credit_held`. It ends exactly once, taken or given
 * back: both are step 2 of its cause, so that the database refuses a second end.
 */
interface Hold {
  businessId: string
  cause: Cause & { kind: 'verification' }
}

const creditOf = (businessId: string): Account => ({ name: 'credit', businessId, asset: dollars })
const heldOf = (businessId: string): Account => ({ name: 'credit_held', businessId, asset: dollars })

/** Locks what a hold moves, until the transaction ends. */
export const lockCredit = (tx: Tx, businessId: string): Promise<LockedAccounts> =>
  lockedFor(tx, [], [creditOf(businessId), heldOf(businessId)])

/**
 * Holds credit in the caller's transaction, which posts nothing more, with its next statement.
 * @param locked by `lockCredit`
 * @returns false without enough credit: nothing is posted
 */
export function holdCredit(
  tx: Tx,
  { businessId, cause }: Hold,
  amount: bigint,
  locked: LockedAccounts,
): boolean {
  if ((locked.get(accountKey(creditOf(businessId)))?.balance ?? 0n) < amount) return false
  const postings = [
    { account: creditOf(businessId), amount },
    { account: heldOf(businessId), amount: -amount },
  ]
  const entry: Entry = { kind: `${cause.kind}.held`, businessId, cause, step: 1, postings }
  sendEntries(tx, [entry], locked)
  return true
}

/** The work is done: the held credit is the platform's. @throws Error if nothing is held */
export const takeCredit = (tx: Tx, hold: Hold) => endHold(tx, hold, 'taken', platformAccount('fees', dollars))

/** The held credit goes back to the business. @throws Error if nothing is held */
export const returnCredit = (tx: Tx, hold: Hold) => endHold(tx, hold, 'returned', creditOf(hold.businessId))

async function endHold(tx: Tx, hold: Hold, end: 'taken' | 'returned', to: Account): Promise<void> {
  const { businessId, cause } = hold
  const { amount } = await heldInBooks(tx, hold, 'credit_held')
  const postings = [
    { account: heldOf(businessId), amount },
    { account: to, amount: -amount },
  ]
  await post(tx, [{ kind: `${cause.kind}.${end}`, businessId, cause, step: 2, postings }])
}
