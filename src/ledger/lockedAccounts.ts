import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { type Account, accountKey, normalSide } from './account.ts'
import type { Entry } from './entry.ts'

interface LockedAccount {
  id: string
  /** Undefined where it can be negative: that one is not locked yet. */
  balance: bigint | undefined
}

/** By `accountKey`. */
export type LockedAccounts = ReadonlyMap<string, LockedAccount>

/** An account without its lock: what was decided by its balance may not hold. */
export const notLocked = ({ name, businessId, asset }: Account): Error =>
  new Error(`${name} ${asset}${businessId === null ? '' : ` of business ${businessId}`} is not locked`)

/**
 * Locks the accounts of these entries, and `more` that the caller's later entries need. Call it once in a
 * transaction, with all of them. Balances that cannot be negative are locked in one order for every caller;
 * the others are locked by the postings, after all of these. Missing accounts are opened before, in one order
 * too: a transaction that opens an account waits for another one that does so, and holds no balance then.
 */
export async function lockedFor(
  tx: Tx,
  entries: readonly Entry[],
  more: readonly Account[] = [],
): Promise<LockedAccounts> {
  const accounts = [
    ...entries.flatMap(({ postings }) => postings.map(({ account }) => account)),
    ...more,
  ].flatMap(withBothSides)
  if (accounts.length === 0) return new Map()
  const wanted = [...new Map(accounts.map((account) => [accountKey(account), account])).entries()].sort(
    ([one], [other]) => (one < other ? -1 : 1),
  )
  const ordered = wanted.map(([, account]) => account)
  let rows = await lock(tx, ordered)
  if (rows.length < wanted.length) {
    open(tx, ordered)
    rows = await lock(tx, ordered)
  }
  const byPlace = new Map(
    rows.map(({ place, id, balance }) => [
      Number(place),
      { id, balance: balance === null ? undefined : BigInt(balance) },
    ]),
  )
  return new Map(
    wanted.map(([key, { name }], at) => {
      const locked = byPlace.get(at + 1)
      if (!locked) throw new Error(`could not create ledger account ${name}`)
      return [key, locked]
    }),
  )
}

/** With both accounts of each position, so that no account is opened under the locks of balances. */
const withBothSides = (account: Account): Account[] =>
  account.name === 'available' || account.name === 'receivable'
    ? [
        { name: 'available', businessId: account.businessId, asset: account.asset },
        { name: 'receivable', businessId: account.businessId, asset: account.asset },
      ]
    : [account]

const columns = (accounts: readonly Account[]) => [
  accounts.map(({ name }) => name),
  accounts.map(({ businessId }) => businessId),
  accounts.map(({ asset }) => asset),
]

const lockBalances = prepared(
  'select place, id, balance from lock_ledger_balances($1::text[], $2::uuid[], $3::text[])',
)

const lock = (tx: Tx, accounts: readonly Account[]) =>
  tx.query<{ place: string; id: string; balance: string | null }>(lockBalances, columns(accounts))

const open = (tx: Tx, accounts: readonly Account[]): void =>
  tx.send(
    `insert into ledger_accounts (name, business_id, asset, normal_side)
     select name, business_id, asset, side
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) with ordinality as w(name, business_id, asset, side, position)
     order by position on conflict do nothing`,
    [...columns(accounts), accounts.map(normalSide)],
  )
