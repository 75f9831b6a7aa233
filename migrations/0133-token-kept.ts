import type { Queryable } from '../src/platform/database/db.ts'

/** What a token kept of an outgoing transaction, which its recipient did not get. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents add token_kept jsonb;
    comment on column intents.token_kept is 'What tokens kept of it: address, token and amount each; empty if all has arrived, null if that is not known';
    create index intents_token_kept on intents (chain) where token_kept <> '[]';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table intents drop token_kept')
}
