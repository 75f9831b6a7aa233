import type { Queryable } from '../src/platform/database/db.ts'

/** A bank returns a payout that was completed; a submission without an answer is remembered. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows
      add returned_at timestamptz,
      add partner_returned numeric(78, 0) check (partner_returned > 0),
      add outcome_lost_at timestamptz,
      drop constraint outflows_status_check,
      add constraint outflows_status_check check (status in
        ('awaiting_claim', 'awaiting_approval', 'pending', 'processing', 'unknown', 'completed', 'returned', 'failed', 'cancelled')),
      drop constraint outflows_end,
      add constraint outflows_end check ((completed_at is not null) = (status in ('completed', 'returned'))),
      add constraint outflows_returned check ((status = 'returned') = (returned_at is not null) and (returned_at is null) = (partner_returned is null)),
      drop constraint outflows_rest,
      add constraint outflows_rest check (next_at is null or status not in ('failed', 'cancelled', 'returned') or ended_by is not null);
    drop index outflows_automatic;
    create unique index outflows_automatic on outflows (session_id) where automatic and status not in ('failed', 'cancelled', 'returned');
    drop index outflows_open;
    create index outflows_open on outflows (business_id) where status not in ('completed', 'failed', 'cancelled', 'returned');
    create index outflows_paid_by_partner on outflows (partner, completed_at) where status = 'completed' and partner_payment_id is not null;
    comment on column outflows.returned_at is 'when the partner reported that the bank had returned a completed payout';
    comment on column outflows.partner_returned is 'what the partner gave back then, in millionths of a US dollar: its fee is not in it';
    comment on column outflows.outcome_lost_at is 'a submission had no answer, and the partner reported no payment afterwards: a later refusal does not release the money';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index outflows_paid_by_partner;
    drop index outflows_open;
    drop index outflows_automatic;
    alter table outflows
      drop constraint outflows_returned,
      drop constraint outflows_end,
      drop constraint outflows_rest,
      drop constraint outflows_status_check;
    update outflows set status = 'failed', completed_at = null, reason = 'returned' where status = 'returned';
    alter table outflows
      add constraint outflows_status_check check (status in
        ('awaiting_claim', 'awaiting_approval', 'pending', 'processing', 'unknown', 'completed', 'failed', 'cancelled')),
      add constraint outflows_end check ((completed_at is not null) = (status = 'completed')),
      add constraint outflows_rest check (next_at is null or status not in ('failed', 'cancelled') or ended_by is not null),
      drop column returned_at,
      drop column partner_returned,
      drop column outcome_lost_at;
    create unique index outflows_automatic on outflows (session_id) where automatic and status not in ('failed', 'cancelled');
    create index outflows_open on outflows (business_id) where status not in ('completed', 'failed', 'cancelled');
  `)
}
