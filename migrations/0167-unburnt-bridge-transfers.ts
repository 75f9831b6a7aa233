import type { Queryable } from '../src/platform/database/db.ts'

/** A fork may take back the burn of a bridge transfer after its mint. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table bridge_transfers add column unburnt text check (unburnt in ('taken_back', 'lost'));
    create index bridge_transfers_unburnt on bridge_transfers (unburnt) where unburnt is not null;
    comment on column bridge_transfers.unburnt is 'completed, and a fork has taken its burn back: lost, if it cannot be mined any more';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table bridge_transfers drop column unburnt')
}
