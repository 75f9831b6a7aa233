import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * A week in which deliveries are still attempted can be kept: a replay may have started just before the week
 * is dropped. Deliveries of paused endpoints keep nothing: one business could stop the retention of all.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create function drop_webhook_week_unless_open(of_table text, monday date) returns boolean language plpgsql security definer
      set search_path = public, pg_temp as $$
    declare
      from_time timestamptz := monday::timestamp at time zone 'UTC';
    begin
      if of_table not in ('events', 'webhook_deliveries', 'webhook_attempts') then
        raise exception '% has no weeks', of_table;
      end if;
      -- A replay changes its delivery first: under this lock none begins.
      if of_table = 'webhook_deliveries' then
        execute format('lock table %I in share mode', 'webhook_deliveries_p' || to_char(monday, 'YYYYMMDD'));
      end if;
      if exists (
        select from webhook_queue q join webhook_endpoints e on e.id = q.endpoint_id and e.status = 'active' and e.removed_at is null
        where q.created_at >= from_time and q.created_at < from_time + interval '168 hours'
      ) then return false; end if;
      return drop_webhook_week(of_table, monday);
    end $$;
    revoke all on function drop_webhook_week_unless_open(text, date) from public;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function drop_webhook_week_unless_open(text, date)')
}
