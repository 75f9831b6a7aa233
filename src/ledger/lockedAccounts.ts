import type { Tx } from '../platform/db.ts'
import { type Account, accountKey, normalSide } from './account.ts'

export interface LockedAccount {
  id: string
  /** Of an account with slots, that of one slot. */
  balance: bigint
}

/**
 * These accounts by `accountKey`, with their balances locked in one order for every caller. Missing accounts are opened before, in one order too: a
 * transaction that opens an account waits for another one that does so, and holds no balance then.
 */
export async function lockedAccounts(tx: Tx, accounts: readonly Account[]): Promise<ReadonlyMap<string, LockedAccount>> {
  const wanted = [...new Map(accounts.map((account) => [accountKey(account), account])).entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, account]) => account)
  let rows = await lock(tx, wanted)
  if (rows.length < wanted.length) {
    await open(tx, wanted)
    rows = await lock(tx, wanted)
  }
  const locked = new Map(rows.map((row) => [accountKey(row), { id: row.id, balance: BigInt(row.balance) }]))
  for (const account of wanted) if (!locked.has(accountKey(account))) throw new Error(`could not create ledger account ${account.name}`)
  return locked
}

const columns = (accounts: readonly Account[]) => [
  accounts.map(({ name }) => name),
  accounts.map(({ businessId }) => businessId),
  accounts.map(({ asset }) => asset),
]

const lock = (tx: Tx, accounts: readonly Account[]) =>
  tx.query<{ id: string; name: string; businessId: string | null; asset: string; balance: string }>(
    `select id, name, business_id as "businessId", asset, balance from lock_ledger_balances($1::text[], $2::uuid[], $3::text[])`,
    columns(accounts),
  )

const open = (tx: Tx, accounts: readonly Account[]) =>
  tx.query(
    `insert into ledger_accounts (name, business_id, asset, normal_side)
     select name, business_id, asset, side
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) with ordinality as w(name, business_id, asset, side, position)
     order by position on conflict do nothing`,
    [...columns(accounts), accounts.map(normalSide)],
  )
