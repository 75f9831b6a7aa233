import type { Queryable } from '../src/platform/database/db.ts'

/** Open bridge transfers of a business are counted, of any age. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create index bridge_transfers_open_of_business on bridge_transfers (business_id) where status in ('pending', 'in_progress');
    update bridge_transfers set next_at = now() where next_at is null and status = 'pending';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index bridge_transfers_open_of_business')
}
