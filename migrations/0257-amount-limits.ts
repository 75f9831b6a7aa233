import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** The smallest and the largest amount that a business requests with one session. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table businesses add amount_limits jsonb default '[]' not null;
    comment on column businesses.amount_limits is 'by token, and chain if it is of one alone: min and max of a session, exact decimals in units of the token'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table businesses drop amount_limits')
}
