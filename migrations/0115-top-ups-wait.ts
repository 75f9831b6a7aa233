import type { Queryable } from '../src/platform/database/db.ts'

/** A top-up that does not arrive stays open until an operator ends it. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table partner_top_ups
      add late_at timestamptz,
      add ended_by text,
      add evidence text,
      drop constraint partner_top_ups_outcome_check,
      add constraint partner_top_ups_outcome_check check (outcome in ('arrived', 'failed', 'missing', 'ended_by_operator')),
      add constraint partner_top_ups_by_hand check (
        (ended_by is null) = (evidence is null) and (ended_by is not null) = (outcome is not distinct from 'ended_by_operator'));
    comment on column partner_top_ups.late_at is 'when the alarm was raised that it is not seen in the balance';
    comment on column partner_top_ups.outcome is 'missing: of earlier versions, which made the next one then';
    comment on column partner_top_ups.ended_by is 'the operator who ended it; null: its transaction or the balance did';
    comment on column partner_top_ups.evidence is 'why the operator knows';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table partner_top_ups drop constraint partner_top_ups_by_hand, drop constraint partner_top_ups_outcome_check;
    update partner_top_ups set outcome = 'missing' where outcome = 'ended_by_operator';
    alter table partner_top_ups
      add constraint partner_top_ups_outcome_check check (outcome in ('arrived', 'failed', 'missing')),
      drop column late_at,
      drop column ended_by,
      drop column evidence;
    comment on column partner_top_ups.outcome is null;
  `)
}
