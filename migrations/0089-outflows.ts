import type { Queryable } from '../src/platform/database/db.ts'

/**
 * What leaves the platform: payouts, refunds, top-ups of a partner's account, and money in suspense that goes
 * back.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table outflows (
      id uuid primary key,
      kind text not null check (kind in ('payout', 'refund', 'top_up', 'suspense')),
      business_id uuid references businesses,
      session_id uuid references pos_sessions,
      payment_id uuid,
      automatic boolean not null default false,
      status text not null check (status in
        ('awaiting_claim', 'awaiting_approval', 'pending', 'processing', 'unknown', 'completed', 'failed', 'cancelled')),
      reason text,
      revision integer not null default 1,
      chain text not null,
      token text not null,
      amount numeric(78, 0) not null check (amount > 0),
      fee numeric(78, 0) not null default 0 check (fee >= 0),
      margin numeric(78, 0) not null default 0 check (margin >= 0),
      rounding numeric(78, 0) not null default 0 check (rounding >= 0),
      destination_id uuid references payout_destinations,
      to_chain text,
      to_token text,
      to_address text,
      to_memo text,
      to_memo_type text check (to_memo_type in ('text', 'id', 'hash')),
      to_amount numeric(78, 0) check (to_amount > 0),
      partner text,
      network_id text,
      currency text,
      local_amount numeric(78, 0) check (local_amount > 0),
      local_fee numeric(40, 8),
      rate numeric(40, 12),
      rate_at timestamptz,
      rate_source text,
      intent_id uuid unique,
      tries integer not null default 0,
      submitted_at timestamptz,
      partner_payment_id text,
      partner_status text,
      partner_cost numeric(78, 0),
      paid_elsewhere text,
      asked_by_account uuid references accounts,
      asked_by_key uuid references api_keys,
      reference text,
      metadata jsonb,
      made_by text not null check (made_by in ('api', 'worker')),
      proof bytea,
      next_at timestamptz,
      reported_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null default now(),
      completed_at timestamptz,
      constraint outflows_owner check ((business_id is not null) = (kind in ('payout', 'refund'))),
      constraint outflows_parts check (fee + margin + rounding < amount),
      constraint outflows_end check ((completed_at is not null) = (status = 'completed')),
      constraint outflows_rest check (next_at is null or status not in ('failed', 'cancelled'))
    );
    create unique index outflows_partner_payment on outflows (partner, partner_payment_id) where partner_payment_id is not null;
    create index outflows_business on outflows (business_id, kind, id);
    create index outflows_session on outflows (session_id) where session_id is not null;
    create index outflows_due on outflows (next_at) where next_at is not null;
    create unique index outflows_automatic on outflows (session_id) where automatic and status not in ('failed', 'cancelled');
    comment on table outflows is 'what leaves the platform; one row is one thing that leaves at most once';
    comment on column outflows.payment_id is 'of kind suspense: the detection whose money goes back';
    comment on column outflows.automatic is 'made when its session was paid';
    comment on column outflows.revision is 'counts changes; an approval names the one that was seen';
    comment on column outflows.amount is 'what is taken of chain and token, in base units, like fee, margin and rounding, which are parts of it';
    comment on column outflows.to_amount is 'what reaches the wallet, in base units of to_token on to_chain';
    comment on column outflows.local_amount is 'what reaches the bank account, in whole units of currency; null until it is priced';
    comment on column outflows.submitted_at is 'from then on the partner may know it';
    comment on column outflows.partner_cost is 'what the partner took from its account, in millionths of a US dollar';
    comment on column outflows.paid_elsewhere is 'the proof of an owner that it was paid in another way';
    comment on column outflows.proof is 'of the process that made it, for the treasury';
    comment on column outflows.next_at is 'when a worker takes it further; null: nothing can change';
    comment on column outflows.reported_at is 'when its session was told of its completion';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table outflows')
}
