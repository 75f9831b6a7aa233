import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { newId, timeOfId } from '../platform/ids.ts'
import { type Account, accountKey } from './account.ts'
import type { Entry } from './entry.ts'
import { idDriftMs } from './idDrift.ts'
import { InsufficientFundsError } from './insufficientFunds.ts'
import { type LockedAccounts, lockedFor, notLocked } from './lockedAccounts.ts'
import { divided, type Position, positionsOf } from './position.ts'

// An entry and its postings have one time, which the lock of `ledger_posting_time` makes part of the
// watermark of statements.
const insertEntries = prepared(
  `with posted as materialized (
     select ledger_posting_time() as at
   ), entries as (
     insert into ledger_entries (id, kind, business_id, cause_kind, reference, step, reverses, created_at)
     select e.*, posted.at from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::integer[], $7::uuid[]) e cross join posted
   ), drifted as (
     insert into ledger_id_drifts (entry_id, ms)
     select id, ms from unnest($1::uuid[]) id cross join (select abs($12::bigint - floor(extract(epoch from at) * 1000)::bigint) as ms from posted) d
     where ms > ${idDriftMs}
   )
   insert into ledger_postings (entry_id, account_id, asset, amount, created_at)
   select p.*, posted.at from unnest($8::uuid[], $9::bigint[], $10::text[], $11::numeric[]) p cross join posted`,
)

/**
 * Writes balanced entries in the caller's transaction. Call it once in a transaction, so that accounts are
 * opened, and then balances locked, in one order. What is posted to `available` is divided between it and
 * `receivable` (`position.ts`). The database refuses an entry at commit if its postings do not sum to zero in
 * every asset, and at once if its cause has an entry of this step, or its original a reversal.
 * @returns the ids of the entries
 * @throws InsufficientFundsError
 */
export async function post(tx: Tx, entries: readonly Entry[]): Promise<string[]> {
  if (entries.length === 0) return []
  const { ids, values, short } = rowsOf(entries, await lockedFor(tx, entries))
  try {
    await tx.query(insertEntries, values)
  } catch (error) {
    throw short && (error as { constraint?: string }).constraint === 'ledger_balances_not_negative'
      ? new InsufficientFundsError(short, error)
      : error
  }
  return ids
}

/**
 * The same with accounts that are locked already (`lockedFor`), and with the transaction's next statement, at
 * the latest with its commit: what the database refuses fails these.
 * @throws InsufficientFundsError
 */
export function sendEntries(tx: Tx, entries: readonly Entry[], locked: LockedAccounts): void {
  if (entries.length === 0) return
  const { values, short } = rowsOf(entries, locked)
  if (short) throw new InsufficientFundsError(short)
  tx.send(insertEntries, values)
}

/** @returns also the position that these entries would make negative, which the database refuses */
function rowsOf(
  entries: readonly Entry[],
  locked: LockedAccounts,
): { ids: string[]; values: unknown[]; short: Position | undefined } {
  const stored = entries.map((entry) => ({ ...entry, id: newId() }))
  const accounts = entries.flatMap(({ postings }) => postings.map(({ account }) => account))
  const positions = positionsOf(accounts, locked)
  const lines = stored.flatMap((entry) =>
    divided(entry, positions).map((posting) => ({ ...posting, id: entry.id })),
  )
  const ids = stored.map(({ id }) => id)
  // References are checked at the end of the statement, when both are stored.
  const values = [
    ids,
    stored.map(({ kind }) => kind),
    stored.map(({ businessId }) => businessId),
    stored.map(({ cause }) => cause.kind),
    stored.map(({ cause }) => cause.id),
    stored.map(({ step }) => step),
    stored.map(({ reverses }) => reverses ?? null),
    lines.map(({ id }) => id),
    lines.map(({ account }) => idOf(locked, account)),
    lines.map(({ account }) => account.asset),
    lines.map(({ amount }) => amount.toString()),
    ids[0] === undefined ? null : timeOfId(ids[0]),
  ]
  return { ids, values, short: [...positions.values()].find(({ available }) => available < 0n) }
}

function idOf(locked: LockedAccounts, account: Account): string {
  const found = locked.get(accountKey(account))
  if (!found) throw notLocked(account)
  return found.id
}
