import type { Queryable } from '../src/platform/database/db.ts'

/** What reached the recipients of calls: it may be more than they had to bring. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents add received jsonb;
    comment on column intents.received is 'Tokens that reached the recipients of calls that a caller signed: address, token and amount each; null: not known'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table intents drop received')
}
