import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds no index concurrently in a transaction. */
export const inTransaction = false

/**
 * A session's texts, of which a part is searched for; a line each, so that no part spans two. The same
 * expression is in `src/sessions/searchedText.ts`: Postgres uses the index only where it is equal.
 */
const searched = `lower(id::text || chr(10) || address || chr(10) || coalesce(shown_address, '') || chr(10) || coalesce(reference, '') || chr(10) || coalesce(label, ''))`

/** Name, and what comes after the table's. */
const indexes: readonly (readonly [name: string, definition: string])[] = [
  // New rows wait in a short list, which searches read whole: one insert in some hundreds merges it.
  [
    'pos_sessions_search',
    `using gin (business_id, (${searched}) gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 512)`,
  ],
  // As `pos_sessions_list`, of the rows that a filter has.
  ['pos_sessions_status', '(business_id, status, created_at, id)'],
  ['pos_sessions_network', '(business_id, chain, token, created_at, id)'],
  ['pos_sessions_exception', "(business_id, exception, created_at, id) where exception <> 'none'"],
  ['pos_sessions_amount', '(business_id, amount_expected)'],
  ['pos_sessions_local_amount', '(business_id, local_amount) where local_amount is not null'],
]

/** Lists and searches of sessions, without a read of all of a business. Writers go on while they are built. */
export async function up(db: Queryable): Promise<void> {
  for (const [name, definition] of indexes) {
    // An interrupted run leaves an index that is not valid.
    await db.query(`drop index concurrently if exists ${name}`)
    await db.query(`create index concurrently if not exists ${name} on pos_sessions ${definition}`)
  }
}

export async function down(db: Queryable): Promise<void> {
  for (const [name] of indexes) await db.query(`drop index if exists ${name}`)
}
