import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** The asset of postings: a token on a chain. */
export const tokenAsset = (chain: string, token: string): string => `${chain}:${token}`

/** An account of a business, or of the platform. Money that the platform holds has its balance on the debit side. */
export type Account =
  | { name: 'pending' | 'available'; businessId: string; asset: string }
  | { name: `deposits:${string}`; businessId: null; asset: string }
  /** Owed to an unknown owner. */
  | { name: 'suspense'; businessId: null; asset: string }

/** One line of an entry, in base units: debits are positive, credits negative. */
export interface Posting {
  account: Account
  amount: bigint
}

/**
 * Writes one balanced entry in the caller's transaction. The database refuses it at commit if its postings do not sum to zero in every asset.
 * @param entry `reference` names the cause, for instance a detection
 */
export async function post(
  tx: Tx,
  entry: { kind: string; businessId: string | null; reference: string },
  postings: readonly Posting[],
): Promise<void> {
  const id = newId()
  await tx.query('insert into ledger_entries (id, kind, business_id, reference) values ($1, $2, $3, $4)', [
    id,
    entry.kind,
    entry.businessId,
    entry.reference,
  ])
  for (const { account, amount } of postings) {
    await tx.query('insert into ledger_postings (entry_id, account_id, asset, amount) values ($1, $2, $3, $4)', [
      id,
      await accountId(tx, account),
      account.asset,
      amount.toString(),
    ])
  }
}

const normalSide = (account: Account) => (account.businessId === null && account.name !== 'suspense' ? 'debit' : 'credit')

async function accountId(tx: Tx, account: Account): Promise<string> {
  const key = [account.name, account.businessId, account.asset]
  const find = () =>
    tx.query<{ id: string }>('select id from ledger_accounts where name = $1 and business_id is not distinct from $2 and asset = $3', key)
  const [found] = await find()
  if (found) return found.id
  await tx.query('insert into ledger_accounts (name, business_id, asset, normal_side) values ($1, $2, $3, $4) on conflict do nothing', [
    ...key,
    normalSide(account),
  ])
  const [made] = await find()
  if (!made) throw new Error(`could not create ledger account ${account.name}`)
  return made.id
}
