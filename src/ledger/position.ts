import { type Account, accountKey } from './account.ts'
import type { Entry, Posting } from './entry.ts'
import { type LockedAccounts, notLocked } from './lockedAccounts.ts'

/**
 * What a business has of one asset: `available` less `receivable`. One of the two is zero: a business that
 * owes has nothing, and credits pay the debt first.
 */
export interface Position {
  businessId: string
  asset: string
  available: bigint
  receivable: bigint
}

export type Positions = ReadonlyMap<string, Position>

const keyOf = ({ businessId, asset }: Pick<Position, 'businessId' | 'asset'>) =>
  JSON.stringify([businessId, asset])

/** The positions among these accounts. @throws Error for one that is not locked */
export function positionsOf(accounts: readonly Account[], locked: LockedAccounts): Positions {
  const positions = new Map<string, Position>()
  for (const { name, businessId, asset } of accounts) {
    if (name !== 'available' && name !== 'receivable') continue
    const balanceOf = (side: typeof name): bigint => {
      const account = { name: side, businessId, asset } as const
      const balance = locked.get(accountKey(account))?.balance
      if (balance === undefined) throw notLocked(account)
      return balance
    }
    positions.set(keyOf({ businessId, asset }), {
      businessId,
      asset,
      available: balanceOf('available'),
      receivable: balanceOf('receivable'),
    })
  }
  return positions
}

/**
 * The postings of an entry, divided between `available` and `receivable`: a credit pays the debt first; a
 * debit that may owe takes what is there.
 * @param positions are changed by what is posted
 */
export function divided(entry: Pick<Entry, 'mayOwe' | 'postings'>, positions: Positions): Posting[] {
  const changes = new Map<Position, bigint>()
  const lines: Posting[] = []
  for (const posting of entry.postings) {
    const { account, amount } = posting
    const position = account.businessId === null ? undefined : positions.get(keyOf(account))
    if (account.name === 'available' && position)
      changes.set(position, (changes.get(position) ?? 0n) + amount)
    else lines.push(posting)
    if (account.name === 'receivable' && position) position.receivable += amount
  }
  for (const [position, change] of changes) {
    const owed = entry.mayOwe ? change - min(change, position.available) : 0n
    const toReceivable = change < 0n ? -min(-change, position.receivable) : owed
    const toAvailable = change - toReceivable
    position.receivable += toReceivable
    position.available -= toAvailable
    lines.push(
      { account: accountOf(position, 'available'), amount: toAvailable },
      { account: accountOf(position, 'receivable'), amount: toReceivable },
    )
  }
  return lines.filter(({ amount }) => amount !== 0n)
}

const accountOf = ({ businessId, asset }: Position, name: 'available' | 'receivable'): Account => ({
  name,
  businessId,
  asset,
})

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
