import type { Family } from '../chains/chain.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { currentCause } from '../platform/telemetry/scope.ts'
import type { WatchPurpose } from './purposes.ts'

/** What the watches of one call have in common. */
export interface NewWatches {
  family: Family
  /** Null: every chain of the family. */
  chain: string | null
  /** Null: the platform. */
  businessId: string | null
  purpose: WatchPurpose
  /**
   * The business's policy at this moment; `amount`, in whole tokens, is the minimum that each transfer counts
   * as.
   */
  finality?: { policyId: string | null; amount: string | null }
  /** Also tokens that Cowry does not know by name; only for purposes that see transfers. */
  allTokens?: boolean
  /** The first block that counts; null: every block from now on. */
  fromHeight?: number | null
  /** The import that reads the blocks from `fromHeight` on. */
  importId?: string | null
  /** Blocks from `fromHeight` on that were matched before the indexer knew the watch are read again. */
  rereads?: boolean
  /** An address that is watched for the purpose already stays as it is. */
  ifAbsent?: boolean
}

export interface NewWatch {
  id: string
  subjectId: string
  /** The address as the family's codec writes it. */
  bytes: Uint8Array
}

/**
 * The only insert into `watches`, as one clause of a statement: for a row of another table and its watch that
 * refer to each other.
 * @param rows SQL of the rows to watch: `id`, `subject_id` and `bytes`
 * @param first number of the clause's first placeholder
 */
export function insertWatchesClause(
  watches: NewWatches,
  rows: string,
  first: number,
): { clause: string; values: unknown[] } {
  const {
    finality,
    allTokens = false,
    fromHeight = null,
    importId = null,
    rereads = false,
    ifAbsent = false,
  } = watches
  const { traceparent, requestId } = currentCause()
  const values = [
    watches.family,
    watches.chain,
    watches.businessId,
    watches.purpose,
    finality?.policyId ?? null,
    finality?.amount ?? null,
    allTokens,
    fromHeight,
    importId,
    rereads,
    traceparent,
    requestId,
  ]
  const [family, chain, business, purpose, policy, amount, all, from, by, isReread, parent, request] =
    values.map((_, index) => `$${first + index}`)
  const clause = `insert into watches (id, family, chain, address, business_id, purpose, subject_id, finality_policy_id, finality_amount, all_tokens,
       from_height, import_id, added_xid, traceparent, request_id)
     select id, ${family}::text, ${chain}::text, bytes, ${business}::uuid, ${purpose}::text, subject_id, ${policy}::uuid, ${amount}::numeric, ${all}::boolean,
       ${from}::bigint, ${by}::uuid, case when ${isReread}::boolean then pg_current_xact_id() end, ${parent}::text, ${request}::text
     from ${rows} ${ifAbsent ? 'on conflict do nothing' : ''}`
  return { clause, values }
}

/**
 * Watches addresses from this transaction's commit on. Do not show an address before the commit: then every
 * block that pays it is read after the watch is visible.
 */
export async function insertWatches(
  db: Queryable,
  watches: NewWatches,
  rows: readonly NewWatch[],
): Promise<void> {
  if (rows.length > 0) await db.query(...statementOf(watches, rows))
}

/** The same, with the transaction's next statement or its commit. */
export function sendWatches(tx: Tx, watches: NewWatches, rows: readonly NewWatch[]): void {
  if (rows.length > 0) tx.send(...statementOf(watches, rows))
}

function statementOf(watches: NewWatches, rows: readonly NewWatch[]): [text: string, values: unknown[]] {
  const { clause, values } = insertWatchesClause(
    watches,
    'unnest($1::uuid[], $2::uuid[], $3::bytea[]) as w(id, subject_id, bytes)',
    4,
  )
  return [
    prepared(clause),
    [
      rows.map(({ id }) => id),
      rows.map(({ subjectId }) => subjectId),
      rows.map(({ bytes }) => Buffer.from(bytes)),
      ...values,
    ],
  ]
}
