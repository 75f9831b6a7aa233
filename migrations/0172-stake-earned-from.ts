import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The time that the rewards of an unstaked stake start at. A fork may move its block to another time; what
 * was proven stays.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table stakes add earned_from timestamptz;
    update stakes set earned_from = confirmed_at where unstaked_at is not null;
    comment on column stakes.earned_from is 'the time of its block when it was unstaked: rewards are counted from then'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table stakes drop earned_from')
}
