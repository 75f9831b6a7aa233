import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { Account } from './account.ts'
import { accountIds } from './accountIds.ts'

/** The asset of postings: a token on a chain. */
export const tokenAsset = (chain: string, token: string): string => `${chain}:${token}`

/** One line of an entry, in base units: debits are positive, credits negative. */
export interface Posting {
  account: Account
  amount: bigint
}

/** The row that an entry is posted for. */
export interface Cause {
  /** Its table, in the singular. */
  kind: 'session_payment' | 'suspense_payment' | 'intent'
  id: string
}

/** An entry without its postings. */
export interface EntryOf {
  kind: string
  businessId: string | null
  cause: Cause
  /** Which of the cause's entries: one more than the count that its row had when the entry was decided. */
  step: number
}

export interface Entry extends EntryOf {
  postings: readonly Posting[]
}

/**
 * Writes balanced entries in the caller's transaction; call it once in a transaction, so that accounts are opened in one order. The database refuses
 * an entry at commit if its postings do not sum to zero in every asset, and at once if its cause has an entry of this step.
 */
export async function post(tx: Tx, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const stored = entries.map((entry) => ({ ...entry, id: newId() }))
  await tx.query(
    `insert into ledger_entries (id, kind, business_id, cause_kind, reference, step)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::integer[])`,
    [
      stored.map(({ id }) => id),
      stored.map(({ kind }) => kind),
      stored.map(({ businessId }) => businessId),
      stored.map(({ cause }) => cause.kind),
      stored.map(({ cause }) => cause.id),
      stored.map(({ step }) => step),
    ],
  )
  const lines = stored.flatMap(({ id, postings }) => postings.map((posting) => ({ id, ...posting })))
  const ids = await accountIds(
    tx,
    lines.map(({ account }) => account),
  )
  await tx.query(
    `insert into ledger_postings (entry_id, account_id, asset, amount)
     select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::numeric[])`,
    [lines.map(({ id }) => id), ids, lines.map(({ account }) => account.asset), lines.map(({ amount }) => amount.toString())],
  )
}
