import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds an index while rows are written only outside of a transaction. */
export const inTransaction = false

/**
 * Lists of a business by state, and by time: without them a page of a rare state, or of a time long ago, reads
 * all rows of the business, or the whole table.
 */
const indexes = {
  outflows_by_status: 'outflows (business_id, kind, status, id)',
  outflows_by_time: 'outflows (business_id, kind, created_at)',
  intents_by_purpose: 'intents (business_id, purpose, id)',
  intents_by_status: 'intents (business_id, purpose, status, id)',
  intents_by_time: 'intents (business_id, purpose, created_at)',
  bridge_transfers_by_status: 'bridge_transfers (business_id, status, id)',
  bridge_transfers_by_time: 'bridge_transfers (business_id, created_at)',
  stakes_by_status: 'stakes (business_id, status, id)',
  stakes_by_time: 'stakes (business_id, created_at)',
  verifications_by_status: 'verifications (business_id, status, id)',
  verifications_by_time: 'verifications (business_id, created_at)',
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
