import type { Queryable } from '../src/platform/database/db.ts'

/** The excess of a session stays `pending` for a while. What was credited before stays so. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions add amount_held numeric(78, 0) not null default 0, add held_until timestamptz, add amount_credited numeric(78, 0);
    alter table session_payments add held numeric(78, 0) not null default 0;
    update pos_sessions set amount_credited = amount_settled where amount_settled > amount_expected;
    create index pos_sessions_held on pos_sessions (held_until) where held_until is not null;
    comment on column pos_sessions.amount_held is 'of amount_settled: more than was asked for, which is pending in the books';
    comment on column pos_sessions.held_until is 'when amount_held becomes the business''s by itself; null: nothing is held';
    comment on column pos_sessions.amount_credited is 'of amount_settled: up to here it is the business''s; null: up to amount_expected';
    comment on column session_payments.held is 'the part of a payment in available that is in pending'
  `)
}

/** Refused while the books hold an excess: the version before would not find it. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    do $$ begin
      if exists (select 1 from session_payments where held > 0) then
        raise exception 'payments are held: accept or refund the excess of their sessions first';
      end if;
    end $$;
    drop index pos_sessions_held;
    alter table session_payments drop held;
    alter table pos_sessions drop amount_held, drop held_until, drop amount_credited
  `)
}
