import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds no index concurrently in a transaction. */
export const inTransaction = false

/** Name, columns after the business, and what comes after them. */
const indexes: readonly (readonly [name: string, column: string, more: string])[] = [
  ['pos_sessions_amount', 'amount_expected', ''],
  ['pos_sessions_local_amount', 'local_amount', ' where local_amount is not null'],
]

/**
 * Sessions of an amount in the order of lists, so that a page of an amount that many have reads no others. They
 * take the place of indexes of the same names; until they are built, a search for an amount takes longer.
 */
export async function up(db: Queryable): Promise<void> {
  for (const [name, column, more] of indexes) {
    await db.query(`drop index concurrently if exists ${name}`)
    await db.query(
      `create index concurrently if not exists ${name} on pos_sessions (business_id, ${column}, created_at, id)${more}`,
    )
  }
}

export async function down(db: Queryable): Promise<void> {
  for (const [name, column, more] of indexes) {
    await db.query(`drop index concurrently if exists ${name}`)
    await db.query(
      `create index concurrently if not exists ${name} on pos_sessions (business_id, ${column})${more}`,
    )
  }
}
