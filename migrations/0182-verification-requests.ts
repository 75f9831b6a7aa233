import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Risk assessments and decisions: rows of `verifications` of other kinds, with the same queue, holds and
 * sealed data.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table verifications
      add column kind text not null default 'verification' check (kind in ('verification', 'assessment', 'decision')),
      add column answer text,
      add column queued_at timestamptz not null default now(),
      alter column country drop not null,
      alter column id_type drop not null,
      drop constraint verifications_status_check,
      drop constraint verifications_due,
      add constraint verifications_status_check
        check (status in ('pending_credit', 'queued', 'processing', 'completed', 'failed', 'not_found', 'error')),
      add constraint verifications_due check ((next_attempt_at is null) = (completed_at is not null or status = 'pending_credit')),
      add constraint verifications_pending check (status <> 'pending_credit' or kind = 'assessment'),
      add constraint verifications_document check (kind <> 'verification' or (country is not null and id_type is not null)),
      add constraint verifications_answer check (
        (answer is not null) = (kind <> 'verification' and status = 'completed')
        and (answer is null or kind <> 'decision' or answer in ('allow', 'review', 'deny'))
        and (answer is null or kind <> 'assessment' or answer in ('low', 'medium', 'high')));
    create index verifications_pending on verifications (business_id, id) where status = 'pending_credit';
    create index verifications_open on verifications (kind, status) where completed_at is null;
    create index verifications_ended on verifications (completed_at) where completed_at is not null and erased_at is null;
    update verifications set queued_at = created_at;
    comment on column verifications.queued_at is 'since when it can be worked on: the day until an error starts then';
    comment on column verifications.answer is 'a decision (allow, review, deny) or the level of a risk (low, medium, high)';

    alter table verification_prices
      add column product text not null default 'verification' check (product in ('verification', 'assessment', 'decision')),
      drop constraint verification_prices_pkey,
      alter column country drop not null,
      alter column id_type drop not null,
      add constraint verification_prices_document check ((product = 'verification') = (country is not null) and (country is null) = (id_type is null)),
      add constraint verification_prices_once unique nulls not distinct (product, country, id_type);
    comment on column verification_prices.country is 'of verifications alone, as id_type: other products have one price';
  `)
}

/** Refuses while there are assessments or decisions: the version before would take them for verifications. */
export async function down(db: Queryable): Promise<void> {
  const [other] = await db.query("select 1 from verifications where kind <> 'verification' limit 1")
  if (other) throw new Error('there are assessments or decisions: the version before does not know them')
  await db.query(`
    delete from verification_prices where product <> 'verification';
    alter table verification_prices
      drop constraint verification_prices_once, drop constraint verification_prices_document, drop column product, add primary key (country, id_type);
    drop index verifications_ended;
    drop index verifications_open;
    drop index verifications_pending;
    alter table verifications
      drop constraint verifications_answer, drop constraint verifications_document, drop constraint verifications_pending,
      drop constraint verifications_due, drop constraint verifications_status_check, drop column queued_at, drop column answer, drop column kind,
      alter column country set not null, alter column id_type set not null,
      add constraint verifications_status_check check (status in ('queued', 'processing', 'completed', 'failed', 'not_found', 'error')),
      add constraint verifications_due check ((next_attempt_at is null) = (completed_at is not null));
  `)
}
