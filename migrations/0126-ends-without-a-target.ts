import type { Queryable } from '../src/platform/database/db.ts'

/**
 * A refund whose customer has named no address can be paid by the platform in another way: it ends without a
 * target.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows drop constraint outflows_target;
    alter table outflows add constraint outflows_target
      check (status in ('awaiting_claim', 'cancelled') or to_address is not null or partner is not null or paid_elsewhere is not null);
  `)
}

/** Refused by the constraint once a refund has ended so: the version before cannot read it. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows drop constraint outflows_target;
    alter table outflows add constraint outflows_target
      check (status in ('awaiting_claim', 'cancelled') or to_address is not null or partner is not null);
  `)
}
