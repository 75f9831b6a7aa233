import type { Queryable } from '../src/platform/database/db.ts'

/**
 * A payment of a stake that can never be mined is replaced once, with the worker's proof of that. Payments
 * that exist replace no other.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table stake_payments add replaces uuid[] not null default '{}', add given_up text[] not null default '{}', add proof bytea,
      add check (cardinality(replaces) = 0 or proof is not null);
    alter table stake_signatures drop constraint stake_signatures_pkey, add primary key (stake_id, part, intent_id);
    comment on column stake_payments.replaces is 'intents of payments that were signed, and can never be mined';
    comment on column stake_payments.given_up is 'the transactions of these';
    comment on column stake_payments.proof is 'of the worker, which has asked the chain for them';
    comment on table stake_signatures is 'what the treasury has taken of a stake to be signed, for which intents'
  `)
}

/** Of payments that were replaced, the last one stays. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    delete from stake_signatures s using stake_signatures t
      where t.stake_id = s.stake_id and t.part = s.part and t.intent_id > s.intent_id;
    alter table stake_signatures drop constraint stake_signatures_pkey, add primary key (stake_id, part);
    alter table stake_payments drop replaces, drop given_up, drop proof
  `)
}
