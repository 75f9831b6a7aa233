import type { Tx } from '../platform/db.ts'
import type { Account } from './account.ts'
import type { Entry } from './entry.ts'
import { lockedAccounts } from './lockedAccounts.ts'
import { divided, positionsOf, withBothSides } from './position.ts'

/**
 * What a business has of an asset once these entries are posted. It locks what `post` locks for them and a reservation after them, in the same order, so
 * that the answer stays true until then.
 */
export async function availableAfter(
  tx: Tx,
  entries: readonly Entry[],
  { businessId, asset }: { businessId: string; asset: string },
): Promise<bigint> {
  const accounts: Account[] = [
    ...entries.flatMap(({ postings }) => postings.map(({ account }) => account)),
    { name: 'available', businessId, asset },
    { name: 'payouts_held', businessId, asset },
  ]
  const positions = positionsOf(accounts, await lockedAccounts(tx, accounts.flatMap(withBothSides)))
  for (const entry of entries) divided(entry, positions)
  return [...positions.values()].find((each) => each.businessId === businessId && each.asset === asset)?.available ?? 0n
}
