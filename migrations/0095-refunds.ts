import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Refunds of sessions, the decisions about what came otherwise than expected, and payments in suspense that
 * go back. The constraints of tables of before hold for new rows: they are not validated, so that no table is
 * read.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table refunds (
      outflow_id uuid primary key references outflows,
      kind text not null check (kind in ('whole', 'excess', 'rest', 'amount')),
      claim_hash bytea unique check (length(claim_hash) = 32),
      claim_expires_at timestamptz,
      constraint refunds_claim check ((claim_hash is null) = (claim_expires_at is null))
    );
    comment on table refunds is 'what is known of a refund beside its outflow';
    comment on column refunds.kind is 'how its amount was given';
    comment on column refunds.claim_hash is 'SHA-256 of the token of its link; null: the request named an address';

    -- Until a customer names an address, a refund has no target; nothing may leave before.
    alter table outflows add constraint outflows_target
      check (status in ('awaiting_claim', 'cancelled') or to_address is not null or partner is not null);
    create unique index outflows_suspense on outflows (payment_id) where kind = 'suspense' and status not in ('failed', 'cancelled');

    alter table pos_sessions add resolution text, add amount_accepted numeric(78, 0);
    alter table pos_sessions add constraint pos_sessions_resolution check (
      resolution in ('accepted', 'left') and (amount_accepted is not null) = (resolution = 'accepted')
      or resolution is null and amount_accepted is null) not valid;
    comment on column pos_sessions.resolution is 'what a person decided about money that came otherwise than expected';
    comment on column pos_sessions.amount_accepted is 'what was confirmed when it was accepted, in base units of token: with less it is not paid';

    alter table ledger_adjustments add to_address text, add to_memo text, add to_memo_type text;
    drop index ledger_adjustments_suspense;
    -- A payment is given once. It may be sent back again where the first try has failed.
    create unique index ledger_adjustments_suspense on ledger_adjustments (suspense_payment) where decision = 'approved' and to_address is null;
    comment on column ledger_adjustments.to_address is 'the payment in suspense goes back to it, in normal form';
  `)
}

export async function down(db: Queryable): Promise<void> {
  const used = await db.query(
    `select 1 from refunds union all select 1 from outflows where kind = 'suspense'
     union all select 1 from pos_sessions where resolution is not null limit 1`,
  )
  if (used.length > 0)
    throw new Error(
      'there are refunds or decisions about sessions: the version before would count them as money that it has',
    )
  await db.query(`
    drop index ledger_adjustments_suspense;
    delete from ledger_adjustments where to_address is not null;
    alter table ledger_adjustments drop to_address, drop to_memo, drop to_memo_type;
    create unique index ledger_adjustments_suspense on ledger_adjustments (suspense_payment) where decision = 'approved';
    alter table pos_sessions drop constraint pos_sessions_resolution, drop resolution, drop amount_accepted;
    drop index outflows_suspense;
    alter table outflows drop constraint outflows_target;
    drop table refunds;
  `)
}
