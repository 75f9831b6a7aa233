import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table pos_sessions (
      id uuid primary key,
      business_id uuid not null references businesses,
      chain text not null,
      token text not null,
      family text not null,
      address text not null,
      memo text not null default '',
      amount_expected numeric(78, 0) not null check (amount_expected > 0),
      amount_received numeric(78, 0) not null default 0,
      amount_settled numeric(78, 0) not null default 0,
      local_amount numeric(40, 8),
      local_currency text,
      rate numeric(40, 12),
      fx_margin_percent numeric(9, 6) not null,
      fee numeric(60, 18) not null,
      fee_currency text not null,
      status text not null default 'pending' check (status in ('pending', 'paid', 'paid_out', 'expired', 'cancelled')),
      exception text not null default 'none'
        check (exception in ('none', 'underpaid', 'overpaid', 'late', 'wrong_token', 'wrong_chain')),
      required_confirmations integer not null,
      label text,
      reference text,
      metadata jsonb,
      expires_at timestamptz not null,
      expiry_asked_at timestamptz,
      paid_at timestamptz,
      created_at timestamptz not null default now(),
      unique (family, address, memo)
    );
    comment on column pos_sessions.amount_received is 'of the right token on the right chain, seen or confirmed, late ones included';
    comment on column pos_sessions.amount_settled is 'of these, what is confirmed and came in time: what decides paid';
    create index pos_sessions_list on pos_sessions (business_id, created_at desc, id desc);
    create index pos_sessions_reference on pos_sessions (business_id, reference) where reference is not null;
    create index pos_sessions_expiry on pos_sessions (chain, expires_at) where status = 'pending' and expiry_asked_at is null;

    create table session_payments (
      detection_id uuid primary key references detections,
      session_id uuid not null references pos_sessions,
      generation integer not null,
      status text not null check (status in ('seen', 'confirmed', 'reverted')),
      exception text not null default 'none' check (exception in ('none', 'late', 'wrong_token', 'wrong_chain')),
      posted text not null default 'none' check (posted in ('none', 'pending', 'available')),
      created_at timestamptz not null default now()
    );
    comment on table session_payments is 'what the session made of each detection the last time it was settled';
    comment on column session_payments.posted is 'the business''s account that holds this payment now';
    create index session_payments_session on session_payments (session_id);
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table session_payments; drop table pos_sessions')
}
