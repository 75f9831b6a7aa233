import type { Queryable } from '../src/platform/database/db.ts'

/** Settings that protect money: looser ones wait for a second owner and the cooling-off time. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table approvals drop constraint approvals_subject_check, drop constraint approvals_wanted_check,
      add constraint approvals_subject_check check (subject in ('transfer', 'payout', 'destination', 'limits', 'setting', 'owner')),
      add constraint approvals_wanted_check check ((subject in ('transfer', 'payout', 'destination')) = (wanted is null));
    comment on column approvals.wanted is 'of a change: the state when it was asked for, and the one that is wanted';
    alter table payout_destinations add needs_approval boolean not null default false;
    comment on column payout_destinations.needs_approval is 'nothing is paid to it before a second owner has approved it; in its proof';
    alter table send_limits add next jsonb, add next_from timestamptz,
      add constraint send_limits_next check ((next is null) = (next_from is null));
    comment on column send_limits.next is 'looser limits, which apply from next_from on';
    alter table businesses add second_factor_until timestamptz;
    comment on column businesses.second_factor_until is 'when the requirement of a second factor ends; null: not at all';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table businesses drop second_factor_until;
    alter table send_limits drop next, drop next_from;
    -- Older versions would pay to them without an approval.
    update payout_destinations set archived_at = now() where needs_approval and archived_at is null and not exists (
      select 1 from approvals where subject = 'destination' and subject_id = payout_destinations.id and decision = 'approved');
    alter table payout_destinations drop needs_approval;
    delete from approvals where subject in ('destination', 'setting');
    alter table approvals drop constraint approvals_subject_check, drop constraint approvals_wanted_check,
      add constraint approvals_subject_check check (subject in ('transfer', 'payout', 'limits', 'owner')),
      add constraint approvals_wanted_check check ((subject in ('transfer', 'payout')) = (wanted is null));
  `)
}
