import type { Queryable } from '../src/platform/database/db.ts'

/**
 * A payment in suspense may be money that the operator has put in. Those of before belong to a business, or
 * to an unknown owner.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table suspense_payments add account text check (account in ('rewards', 'capital')),
      add constraint suspense_payments_one_owner check (num_nonnulls(business_id, account) <= 1);
    comment on column suspense_payments.account is 'the account of the platform that operators booked it to; null: it is not theirs'
  `)
}

export async function down(db: Queryable): Promise<void> {
  const [used] = await db.query('select 1 from suspense_payments where account is not null limit 1')
  if (used)
    throw new Error(
      "payments in suspense were booked as the operator's: the version before would book them back",
    )
  await db.query('alter table suspense_payments drop constraint suspense_payments_one_owner, drop account')
}
