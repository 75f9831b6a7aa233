import type { Queryable } from '../src/platform/database/db.ts'

/** How long a business holds an excess of its sessions; null: the deployment's time. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table payout_settings
      add excess_hold_days integer check (excess_hold_days between 1 and 365),
      add next_excess_hold_days integer check (next_excess_hold_days between 1 and 365),
      add next_excess_hold_from timestamptz,
      add constraint payout_settings_next_excess_hold check ((next_excess_hold_days is null) = (next_excess_hold_from is null));
    comment on column payout_settings.excess_hold_days is 'how long more than a session asked for stays pending; null: EXCESS_HOLD_DAYS';
    comment on column payout_settings.next_excess_hold_days is 'a shorter time that was asked for; from next_excess_hold_from on'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(
    'alter table payout_settings drop excess_hold_days, drop next_excess_hold_days, drop next_excess_hold_from',
  )
}
