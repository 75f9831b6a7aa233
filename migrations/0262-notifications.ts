import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Mails about events: what each member has chosen, and the mails that wait. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table notification_choices (
      business_id uuid not null,
      account_id uuid not null,
      kind text not null check (kind in ('paid', 'exception', 'payout_failed', 'endpoint_failing')),
      wanted boolean,
      seen bigint not null,
      next_at timestamptz not null default now(),
      primary key (business_id, account_id, kind),
      foreign key (business_id, account_id) references members on delete cascade
    );
    comment on table notification_choices is 'which mails about its events a member of a business gets';
    comment on column notification_choices.wanted is 'null: nothing chosen; owners get it';
    comment on column notification_choices.seen is 'the sequence number of the last event that was looked at: each event is counted in one mail';
    comment on column notification_choices.next_at is 'no mail of this kind is made before';

    create table notifications (
      id uuid primary key,
      business_id uuid not null,
      account_id uuid not null,
      kind text not null,
      after bigint not null,
      upto bigint not null,
      events integer not null check (events > 0),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      last_error text,
      created_at timestamptz not null default now(),
      unique (business_id, account_id, kind, upto),
      foreign key (business_id, account_id, kind) references notification_choices on delete cascade
    );
    comment on table notifications is 'mails about events that are still to be sent: a row is deleted when its mail was sent or is given up';
    comment on column notifications.after is 'the mail is about the events after this sequence number';
    comment on column notifications.events is 'how many of them are of its kind';
    create index notifications_due on notifications (next_attempt_at);

    -- With its owner's rights: who adds a member need not know of notifications. A member who gets a kind again
    -- gets no mail about what happened meanwhile.
    create function follow_role() returns trigger language plpgsql security definer as $$
    declare
      newest bigint := coalesce((select last from event_sequences where business_id = new.business_id), 0);
    begin
      if tg_op = 'UPDATE' and old.role = 'cashier' then
        update notification_choices set seen = newest where business_id = new.business_id and account_id = new.account_id;
      end if;
      if new.role = 'owner' then
        insert into notification_choices (business_id, account_id, kind, seen)
          select new.business_id, new.account_id, kind, newest from unnest(array['payout_failed', 'endpoint_failing']) kind
          on conflict (business_id, account_id, kind) do update set seen = excluded.seen where notification_choices.wanted is null;
      end if;
      return null;
    end $$;
    do $$ begin
      execute format('alter function follow_role() set search_path = %I, pg_temp', current_schema());
    end $$;
    revoke all on function follow_role() from public;
    create trigger members_follow_role after insert on members for each row execute function follow_role();
    create trigger members_follow_changed_role after update of role on members for each row
      when (old.role <> new.role) execute function follow_role();

    insert into notification_choices (business_id, account_id, kind, seen)
      select m.business_id, m.account_id, kind, coalesce(s.last, 0)
      from members m cross join unnest(array['payout_failed', 'endpoint_failing']) kind
        left join event_sequences s on s.business_id = m.business_id
      where m.role = 'owner'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop trigger members_follow_changed_role on members;
    drop trigger members_follow_role on members;
    drop function follow_role();
    drop table notifications;
    drop table notification_choices
  `)
}
