import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** How much less than requested is enough: as a business has set it, and of each session. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table businesses add tolerance_percent numeric, add tolerance_amount numeric;
    alter table businesses add constraint businesses_tolerance check (
      (tolerance_percent is null or tolerance_amount is null) and tolerance_percent between 0 and 10 and tolerance_amount >= 0) not valid;
    comment on column businesses.tolerance_percent is 'share of a new session''s amount that may be missing';
    comment on column businesses.tolerance_amount is 'the same in whole units of the token; both null: nothing may be missing';
    alter table pos_sessions add amount_tolerated numeric(78, 0) default 0 not null;
    comment on column pos_sessions.amount_tolerated is 'base units that may be missing, fixed at creation'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions drop amount_tolerated;
    alter table businesses drop tolerance_percent, drop tolerance_amount
  `)
}
