import type { Queryable } from '../src/platform/database/db.ts'

/**
 * What a stake was when the treasury took a payment of it to be signed, also of rewards alone. `amount` of a
 * principal was the stake's until now.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table stake_signatures add stake_amount numeric(78, 0) not null default 0;
    update stake_signatures set stake_amount = amount where part = 'principal';
    alter table stake_signatures alter stake_amount drop default;
    comment on column stake_signatures.stake_amount is 'base units of the stake, also where only its rewards are paid';
    comment on column stake_signatures.amount is 'base units that are paid'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table stake_signatures drop column stake_amount')
}
