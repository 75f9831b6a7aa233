import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table payout_settings (
      business_id uuid primary key references businesses,
      cooling_off_hours integer not null check (cooling_off_hours between 0 and 720),
      next_hours integer check (next_hours >= 0 and next_hours < cooling_off_hours),
      next_from timestamptz,
      updated_at timestamptz not null default now(),
      constraint payout_settings_next check ((next_hours is null) = (next_from is null))
    );
    comment on table payout_settings is 'settings of a business for payouts; without a row those of the code';
    comment on column payout_settings.next_hours is 'a shorter cooling-off time, which applies from next_from on';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table payout_settings')
}
