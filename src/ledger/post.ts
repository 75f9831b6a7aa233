import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { accountKey } from './account.ts'
import { accountIds } from './accountIds.ts'
import type { Entry } from './entry.ts'
import { InsufficientFunds } from './insufficientFunds.ts'
import { divided, lockPositions, withBothSides } from './position.ts'

/**
 * Writes balanced entries in the caller's transaction. Call it once in a transaction, so that accounts are opened, and then balances locked, in one
 * order. What is posted to `available` is divided between it and `receivable` (`position.ts`). The database refuses an entry at commit if its postings
 * do not sum to zero in every asset, and at once if its cause has an entry of this step, or its original a reversal.
 * @returns the ids of the entries
 * @throws InsufficientFunds
 */
export async function post(tx: Tx, entries: readonly Entry[]): Promise<string[]> {
  if (entries.length === 0) return []
  const stored = entries.map((entry) => ({ ...entry, id: newId() }))
  await tx.query(
    `insert into ledger_entries (id, kind, business_id, cause_kind, reference, step, reverses)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::integer[], $7::uuid[])`,
    [
      stored.map(({ id }) => id),
      stored.map(({ kind }) => kind),
      stored.map(({ businessId }) => businessId),
      stored.map(({ cause }) => cause.kind),
      stored.map(({ cause }) => cause.id),
      stored.map(({ step }) => step),
      stored.map(({ reverses }) => reverses ?? null),
    ],
  )
  const accounts = stored.flatMap(({ postings }) => postings.map(({ account }) => account))
  const ids = await accountIds(tx, accounts.flatMap(withBothSides))
  const positions = await lockPositions(tx, accounts, ids)
  const lines = stored.flatMap((entry) => divided(entry, positions).map((posting) => ({ ...posting, id: entry.id })))
  try {
    await tx.query(
      `insert into ledger_postings (entry_id, account_id, asset, amount)
       select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::numeric[])`,
      [
        lines.map(({ id }) => id),
        lines.map(({ account }) => ids.get(accountKey(account))),
        lines.map(({ account }) => account.asset),
        lines.map(({ amount }) => amount.toString()),
      ],
    )
  } catch (error) {
    const short = [...positions.values()].find(({ available }) => available < 0n)
    throw short && (error as { constraint?: string }).constraint === 'ledger_balances_not_negative' ? new InsufficientFunds(short, error) : error
  }
  return stored.map(({ id }) => id)
}
