import type { Tx } from '../platform/db.ts'
import type { Account } from './account.ts'
import type { Entry } from './entry.ts'
import { type LockedAccounts, lockedAccounts } from './lockedAccounts.ts'
import { withBothSides } from './position.ts'

/**
 * Locks the accounts of these entries, and `more` that the caller's later entries need. Call it once in a transaction, with all of them, so that accounts
 * are opened, and then balances locked, in one order.
 */
export async function lockedFor(tx: Tx, entries: readonly Entry[], more: readonly Account[] = []): Promise<LockedAccounts> {
  const accounts = [...entries.flatMap(({ postings }) => postings.map(({ account }) => account)), ...more]
  return accounts.length === 0 ? new Map() : lockedAccounts(tx, accounts.flatMap(withBothSides))
}
