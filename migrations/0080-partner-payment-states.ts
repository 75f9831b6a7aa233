import type { Queryable } from '../src/platform/database/db.ts'

/** The last reports of payout partners about the payments that they make for us. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table partner_payment_states (
      partner text not null,
      partner_payment_id text not null,
      sequence_id text,
      status text not null,
      updated_at timestamptz not null,
      fetched_at timestamptz not null,
      primary key (partner, partner_payment_id)
    );
    create index partner_payment_states_sequence on partner_payment_states (partner, sequence_id);
    comment on column partner_payment_states.sequence_id is 'our id of the payment; null: the partner names no id of ours';
    comment on column partner_payment_states.status is 'the partner''s own word';
    comment on column partner_payment_states.updated_at is 'by the partner''s clock; a state never goes back behind it';
    comment on column partner_payment_states.fetched_at is 'when the request for this state began';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table partner_payment_states')
}
