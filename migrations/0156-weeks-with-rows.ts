import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * Makes a week also where its rows are in the default partitions already, because no worker had made it in
 * time: they are moved there. Counts of deliveries are kept by triggers of the parent, which these statements
 * do not fire.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create function add_webhook_week(monday date) returns void language plpgsql security definer
      set search_path = public, pg_temp as $$
    declare
      suffix text := to_char(monday, 'YYYYMMDD');
      -- In UTC, in any time zone of the session.
      from_time timestamptz := monday::timestamp at time zone 'UTC';
      to_time timestamptz := (monday + 7)::timestamp at time zone 'UTC';
      of_table text;
    begin
      if extract(isodow from monday) <> 1 then
        raise exception '% is no Monday', monday;
      end if;
      if monday > current_date + 100 then
        raise exception 'a week is made a hundred days ahead at the earliest';
      end if;
      foreach of_table in array array['events', 'webhook_deliveries', 'webhook_attempts'] loop
        continue when to_regclass(of_table || '_p' || suffix) is not null;
        execute format('lock table only %I in access exclusive mode', of_table);
        execute format('create table %I (like %I including all)', of_table || '_p' || suffix, of_table);
        execute format('with moved as (delete from %I where created_at >= %L and created_at < %L returning *) insert into %I select * from moved',
          of_table || '_default', from_time, to_time, of_table || '_p' || suffix);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, of_table || '_p' || suffix, from_time, to_time);
      end loop;
    end $$;
    revoke all on function add_webhook_week(date) from public;
    comment on function add_webhook_week is 'with the rows of the week that lie in the default partitions'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function add_webhook_week(date)')
}
