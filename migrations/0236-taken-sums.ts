import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * What a session adds to the sums of its business, or takes from them: once when it is paid, and once when it
 * ends without that. Days of all zones begin at a quarter of an hour. What it keeps is that of
 * src/sessions/keptUnits.ts; a test compares.
 */
export const contribution = (of: string, sign: 1 | -1) => `
  select ${of}.business_id as business_id, date_bin('15 minutes', ${of}.paid_at, 'epoch'::timestamptz) as at, ${of}.chain as chain, ${of}.token as token,
    coalesce(${of}.local_currency, '') as currency, ${sign} as payments, ${sign} * kept as units,
    ${sign} * case when ${of}.local_currency is null or ${of}.local_amount is null then 0 when kept = ${of}.amount_expected then ${of}.local_amount
      else ${of}.local_amount * kept / ${of}.amount_expected end as local, 0 as unpaid
  from (select case when ${of}.amount_settled < ${of}.amount_expected - ${of}.amount_tolerated then coalesce(${of}.amount_accepted, ${of}.amount_settled)
    else least(${of}.amount_settled, greatest(${of}.amount_expected, coalesce(${of}.amount_credited, 0))) end as kept) k
  where ${of}.paid_at is not null
  union all
  select ${of}.business_id, date_bin('15 minutes', coalesce(${of}.cancelled_at, ${of}.expires_at), 'epoch'::timestamptz), ${of}.chain, ${of}.token,
    coalesce(${of}.local_currency, ''), 0, 0, 0, ${sign}
  where ${of}.status in ('expired', 'cancelled')`

const change = (operation: string, of: string) => `
      if tg_op = '${operation}' then
        insert into taken_changes (business_id, at, chain, token, currency, payments, units, local, unpaid)
        select business_id, at, chain, token, currency, sum(payments), sum(units), sum(local), sum(unpaid) from (${of}) parts
        group by 1, 2, 3, 4, 5 having sum(payments) <> 0 or sum(units) <> 0 or sum(local) <> 0 or sum(unpaid) <> 0;
      end if;`

const body = `${change('INSERT', contribution('new', 1))}${change('DELETE', contribution('old', -1))}${change('UPDATE', `${contribution('old', -1)} union all ${contribution('new', 1)}`)}
      return null;`

/** The function of the triggers. @param isPart only sessions up to the last one that was summed are in the sums */
export const noteTaken = (create: string, isPart: boolean): string => `
    ${create} function note_taken() returns trigger language plpgsql security definer as $$
    begin
      ${isPart ? "if (case when tg_op = 'DELETE' then old.id else new.id end) > (select through from taken_progress) then return null; end if;" : ''}
      ${body}
    end $$;`

export const searchPath =
  "do $$ begin execute format('alter function note_taken() set search_path = %I, pg_temp', current_schema()); end $$;"

/** The sums of what was taken, and of what ended unpaid. Each change adds a row, and no row is waited for. */
export async function up(db: Queryable): Promise<void> {
  const columns = `business_id uuid not null,
      at timestamptz not null,
      chain text not null,
      token text not null,
      currency text not null,
      payments bigint not null,
      units numeric not null,
      local numeric not null,
      unpaid bigint not null`
  await db.query(`
    create table taken_sums (
      ${columns},
      primary key (business_id, at, chain, token, currency)
    );
    comment on table taken_sums is 'by quarters of an hour: what was taken, and how many sessions ended unpaid; taken_changes adds to it';
    comment on column taken_sums.currency is 'of the sessions'' local amounts; empty: they have none';
    comment on column taken_sums.units is 'what the sessions keep, in base units of the token';
    comment on column taken_sums.local is 'the same in the currency, by the rates of the sessions';
    create table taken_changes (${columns});
    comment on table taken_changes is 'differences that are not in taken_sums yet: they are folded into it from time to time';
    create index taken_changes_business on taken_changes (business_id, at);

    create table taken_progress (through uuid not null);
    comment on table taken_progress is 'sessions up to this one are in taken_sums; it is not read any more once all are';
    insert into taken_progress values ('00000000-0000-0000-0000-000000000000');
    ${noteTaken('create', true)}
    revoke all on function note_taken() from public;

    create trigger pos_sessions_taken_new after insert on pos_sessions
      for each row when (new.paid_at is not null or new.status in ('expired', 'cancelled')) execute function note_taken();
    create trigger pos_sessions_taken_changed after update on pos_sessions for each row
      when ((old.paid_at is not null or new.paid_at is not null or old.status in ('expired', 'cancelled') or new.status in ('expired', 'cancelled'))
        and (old.paid_at, old.status in ('expired', 'cancelled'), old.cancelled_at, old.expires_at, old.amount_settled, old.amount_tolerated, old.amount_accepted, old.amount_credited, old.local_amount, old.local_currency)
        is distinct from (new.paid_at, new.status in ('expired', 'cancelled'), new.cancelled_at, new.expires_at, new.amount_settled, new.amount_tolerated, new.amount_accepted, new.amount_credited, new.local_amount, new.local_currency))
      execute function note_taken();
    create trigger pos_sessions_taken_removed after delete on pos_sessions
      for each row when (old.paid_at is not null or old.status in ('expired', 'cancelled')) execute function note_taken();
    ${searchPath}
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop trigger pos_sessions_taken_new on pos_sessions; drop trigger pos_sessions_taken_changed on pos_sessions; drop trigger pos_sessions_taken_removed on pos_sessions;
    drop function note_taken(); drop table taken_sums; drop table taken_changes; drop table taken_progress
  `)
}
