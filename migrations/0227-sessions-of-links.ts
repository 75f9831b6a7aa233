import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds an index while rows are written only outside of a transaction. */
export const inTransaction = false

/** The sessions of a payment link: listed, and counted by state. Sessions without a link are in neither. */
const indexes = {
  pos_sessions_link: 'pos_sessions (link_id, created_at, id) where link_id is not null',
  pos_sessions_link_status: 'pos_sessions (link_id, status) where link_id is not null',
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
