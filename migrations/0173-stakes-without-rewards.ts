import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Stakes whose rewards are not in the books, for the metric of pending rewards, which would read all stakes.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(
    'create index stakes_rewards_pending on stakes (id) where rewards > 0 and not rewards_booked',
  )
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index stakes_rewards_pending')
}
