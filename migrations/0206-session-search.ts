import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds no index concurrently in a transaction. */
export const inTransaction = false

/** Name, and what comes after the table's. */
const indexes: readonly (readonly [name: string, definition: string])[] = [
  // As `pos_sessions_list`, of the rows that a filter has.
  ['pos_sessions_status', '(business_id, status, created_at, id)'],
  ['pos_sessions_network', '(business_id, chain, token, created_at, id)'],
  ['pos_sessions_exception', "(business_id, exception, created_at, id) where exception <> 'none'"],
  ['pos_sessions_amount', '(business_id, amount_expected)'],
  ['pos_sessions_local_amount', '(business_id, local_amount) where local_amount is not null'],
]

/**
 * Lists of sessions by a filter or an amount, without a read of all of a business. Writers go on while they
 * are built. There is none for parts of texts: with trigrams each write of a session took three times as long,
 * and 30 kB of the write-ahead log.
 */
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
