import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds an index while rows are written only outside of a transaction. */
export const inTransaction = false

/**
 * The list of a business's sweeps: without them the page of a business with few sweeps, and of the few that
 * failed, reads those of all businesses.
 */
const indexes = {
  sweep_sources_business: 'sweep_sources (business_id, chain, address)',
  sweeps_failed: "sweeps (id) where status = 'failed'",
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
