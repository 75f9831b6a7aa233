import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds an index while rows are written only outside of a transaction. */
export const inTransaction = false

/**
 * Whether a payment of suspense waits for an approval: without it the list reads all adjustments. Businesses by
 * approval: without it the few that wait are looked for among all.
 */
const indexes = {
  ledger_adjustments_of_suspense: 'ledger_adjustments (suspense_payment) where suspense_payment is not null',
  businesses_by_approval: 'businesses (approval, id)',
}

export async function up(db: Queryable): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) {
    // An interrupted run leaves an index that is not valid. Of two runs at once, one leaves the other's out.
    await db.query(`drop index concurrently if exists ${name}`)
    await db.query(`create index concurrently if not exists ${name} on ${on}`)
  }
}

export async function down(db: Queryable): Promise<void> {
  for (const name of Object.keys(indexes)) await db.query(`drop index concurrently if exists ${name}`)
}
