import type { Tx } from '../platform/db.ts'
import { type Account, accountKey, normalSide } from './account.ts'

/**
 * The ids of these accounts, by `accountKey`. Opens missing ones in one order for every caller, to avoid deadlocks: a transaction that opens an account
 * waits for another one that does so too.
 */
export async function accountIds(tx: Tx, accounts: readonly Account[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Map(accounts.map((account) => [accountKey(account), account])).entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, account]) => account)
  const ids = new Map((await find(tx, wanted)).map((row) => [accountKey(row), row.id]))
  const missing = wanted.filter((account) => !ids.has(accountKey(account)))
  if (missing.length > 0) {
    await open(tx, missing)
    for (const row of await find(tx, missing)) ids.set(accountKey(row), row.id)
  }
  for (const account of wanted) if (!ids.has(accountKey(account))) throw new Error(`could not create ledger account ${account.name}`)
  return ids
}

interface Key {
  name: string
  businessId: string | null
  asset: string
}

const columns = (keys: readonly Key[]) => [keys.map(({ name }) => name), keys.map(({ businessId }) => businessId), keys.map(({ asset }) => asset)]

/** Two halves, because no index serves `is not distinct from`. */
const find = (tx: Tx, keys: readonly Key[]) =>
  tx.query<Key & { id: string }>(
    `with wanted as (select * from unnest($1::text[], $2::uuid[], $3::text[]) as w(name, business_id, asset))
     select a.id, a.name, a.business_id as "businessId", a.asset
     from wanted w join ledger_accounts a on a.name = w.name and a.business_id = w.business_id and a.asset = w.asset
     union all
     select a.id, a.name, a.business_id, a.asset
     from wanted w join ledger_accounts a on a.name = w.name and a.business_id is null and a.asset = w.asset where w.business_id is null`,
    columns(keys),
  )

const open = (tx: Tx, accounts: readonly Account[]) =>
  tx.query(
    `insert into ledger_accounts (name, business_id, asset, normal_side)
     select name, business_id, asset, side
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) with ordinality as w(name, business_id, asset, side, position)
     order by position on conflict do nothing`,
    [...columns(accounts), accounts.map(normalSide)],
  )
