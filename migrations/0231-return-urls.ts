import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Where the customer of a session goes back to. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions add return_url text;
    comment on column pos_sessions.return_url is 'linked on the checkout page once the session is over; checked at creation and when it is shown'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table pos_sessions drop return_url')
}
