import type { Tx } from '../platform/db.ts'
import { type Account, accountKey } from './account.ts'
import type { Entry, Posting } from './entry.ts'

/**
 * What a business has of one asset: `available` less `receivable`. One of the two is zero: a business that owes has nothing, and credits pay the debt
 * first.
 */
export interface Position {
  businessId: string
  asset: string
  available: bigint
  receivable: bigint
}

export type Positions = ReadonlyMap<string, Position>

const keyOf = ({ businessId, asset }: Pick<Position, 'businessId' | 'asset'>) => JSON.stringify([businessId, asset])

/** With both accounts of each position, so that none is opened under the locks of balances. */
export const withBothSides = (account: Account): Account[] =>
  account.name === 'available' || account.name === 'receivable'
    ? [
        { name: 'available', businessId: account.businessId, asset: account.asset },
        { name: 'receivable', businessId: account.businessId, asset: account.asset },
      ]
    : [account]

/** Locks the balances of these accounts in one order for every caller, if positions are among them; other balances are locked by the postings. */
export async function lockPositions(tx: Tx, accounts: readonly Account[], ids: ReadonlyMap<string, string>): Promise<Positions> {
  const positions = new Map<string, Position>()
  for (const { name, businessId, asset } of accounts)
    if (name === 'available' || name === 'receivable')
      positions.set(keyOf({ businessId, asset }), { businessId, asset, available: 0n, receivable: 0n })
  if (positions.size === 0) return positions
  const locked = await tx.query<{ accountId: string; balance: string }>(
    'select account_id as "accountId", balance from lock_ledger_balances($1::bigint[])',
    [[...ids.values()]],
  )
  const balances = new Map(locked.map(({ accountId, balance }) => [accountId, BigInt(balance)]))
  for (const position of positions.values())
    for (const name of ['available', 'receivable'] as const) position[name] = balances.get(ids.get(accountKey({ ...position, name })) ?? '') ?? 0n
  return positions
}

/**
 * The postings of an entry, divided between `available` and `receivable`: a credit pays the debt first; a debit that may owe takes what is there.
 * @param positions are changed by what is posted
 */
export function divided(entry: Pick<Entry, 'mayOwe' | 'postings'>, positions: Positions): Posting[] {
  const changes = new Map<Position, bigint>()
  const lines: Posting[] = []
  for (const posting of entry.postings) {
    const { account, amount } = posting
    const position = account.businessId === null ? undefined : positions.get(keyOf(account))
    if (account.name === 'available' && position) changes.set(position, (changes.get(position) ?? 0n) + amount)
    else lines.push(posting)
    if (account.name === 'receivable' && position) position.receivable += amount
  }
  for (const [position, change] of changes) {
    const toReceivable = change < 0n ? -min(-change, position.receivable) : entry.mayOwe ? change - min(change, position.available) : 0n
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

const accountOf = ({ businessId, asset }: Position, name: 'available' | 'receivable'): Account => ({ name, businessId, asset })

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
