import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The next free address is found in this index alone. The index of earlier versions has the order of the
 * primary key: where the planner took that one, each new session passed every address that had been taken.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(
    'create index deposit_addresses_next on deposit_addresses (family, (index + 0)) where taken_at is null',
  )
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index deposit_addresses_next')
}
