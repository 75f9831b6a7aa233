import type { Entry } from './entry.ts'
import type { LockedAccounts } from './lockedAccounts.ts'
import { divided, positionsOf } from './position.ts'

/**
 * What a business has of an asset once these entries are posted.
 * @param locked has the accounts of the entries and `available`: the answer stays true until the transaction
 * ends
 */
export function availableAfter(
  locked: LockedAccounts,
  entries: readonly Entry[],
  { businessId, asset }: { businessId: string; asset: string },
): bigint {
  const accounts = entries.flatMap(({ postings }) => postings.map(({ account }) => account))
  const positions = positionsOf([...accounts, { name: 'available', businessId, asset }], locked)
  for (const entry of entries) divided(entry, positions)
  return (
    [...positions.values()].find((each) => each.businessId === businessId && each.asset === asset)
      ?.available ?? 0n
  )
}
