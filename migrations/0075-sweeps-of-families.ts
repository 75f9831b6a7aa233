import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents add native_change numeric(78, 0);
    comment on column intents.native_change is 'Solana: by how much the sender''s native coin changed, without the fee';
    alter table sweeps add closes boolean not null default false;
    comment on column sweeps.closes is 'Solana: the account of the token is closed once it is empty, and its rent reaches the treasury';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table sweeps drop closes; alter table intents drop native_change')
}
