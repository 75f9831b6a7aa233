import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The worker adds and drops weekly partitions without owning the tables: through two functions with their
 * owner's rights. A fixed search path keeps a caller's temporary tables and schemas from standing in for the
 * tables.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create function drop_webhook_week(of_table text, monday date) returns boolean language plpgsql security definer as $$
    declare
      week text := of_table || '_p' || to_char(monday, 'YYYYMMDD');
      -- Weeks begin at midnight in UTC, in any time zone of the session.
      from_time timestamptz := monday::timestamp at time zone 'UTC';
    begin
      if of_table not in ('events', 'webhook_deliveries', 'webhook_attempts') then
        raise exception '% has no weeks', of_table;
      end if;
      if monday + 14 > current_date then
        raise exception 'a week is dropped a week after its end at the earliest';
      end if;
      -- Events are dropped after their deliveries.
      if of_table = 'events' and to_regclass(replace(week, 'events', 'webhook_deliveries')) is not null then return false; end if;
      execute format('lock table %I in share mode', week);
      if of_table = 'webhook_deliveries' then
        execute format('insert into webhook_delivery_counts
          select business_id, endpoint_id, topic, type, chain, status, -count(*) from %I group by 1, 2, 3, 4, 5, 6', week);
        delete from webhook_queue where created_at >= from_time and created_at < from_time + interval '168 hours';
      end if;
      execute format('lock table only %I in access exclusive mode', of_table);
      execute format('drop table %I', week);
      return true;
    end $$;
    alter function add_webhook_partition(date, date) security definer;
    -- With its owner's rights, so that every role reads the same identity.
    alter function present_identity() security definer;
    do $$ begin
      execute format('alter function add_webhook_partition(date, date) set search_path = %I, pg_temp', current_schema());
      execute format('alter function drop_webhook_week(text, date) set search_path = %I, pg_temp', current_schema());
      execute format('alter function present_identity() set search_path = %I, pg_temp', current_schema());
    end $$;
    -- Revoked until the grants are applied.
    revoke all on function add_webhook_partition(date, date), drop_webhook_week(text, date), present_identity() from public;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop function drop_webhook_week(text, date);
    alter function present_identity() security invoker;
    alter function present_identity() reset search_path;
    alter function add_webhook_partition(date, date) security invoker;
    alter function add_webhook_partition(date, date) reset search_path;
    grant execute on function add_webhook_partition(date, date), present_identity() to public;
  `)
}
