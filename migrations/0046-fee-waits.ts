import type { Queryable } from '../src/platform/database/db.ts'

// An intent may wait for a lower fee. Only metadata changes: no row is rewritten or read.

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents add fee_waits_since timestamptz;
    alter table intent_attempts add refusals integer not null default 0;
    comment on column intents.fee_waits_since is 'since when it waits for a lower fee';
    comment on column intent_attempts.refusals is 'sends that every node refused; where it equals sends, no node has the bytes';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table intent_attempts drop refusals;
    alter table intents drop fee_waits_since;
  `)
}
