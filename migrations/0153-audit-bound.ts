import type { Queryable } from '../src/platform/database/db.ts'
import { lockBriefly } from './lockBriefly.ts'

/**
 * With running processes: auditPartitions.integration.test.ts runs the statements of the version before after
 * each step.
 */
export const expands = true
/**
 * The check reads the whole table; entries are added meanwhile. In a transaction it would hold back the
 * vacuum of all tables for that long.
 */
export const inTransaction = false

/**
 * The audit log becomes a table of monthly partitions in two steps, without a rewrite: the table as it is
 * becomes the first partition, which ends in a month that has not started. Postgres would read the whole
 * table under a lock to verify that, but not where a checked constraint has it. This step makes the
 * constraint, which holds for new entries at once.
 *
 * Partitions are ranges of ids. Ids are UUIDv7, so these are ranges of time, the key stays the id alone, and
 * an id finds its partition. The bound is at least 28 days away; an upgrade must not stop between these steps
 * for longer.
 *
 * Ids beyond the bound, of a process whose clock was wrong by months, are set aside; the next step adds them
 * again.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create or replace function audit_bound(of_month date) returns uuid language sql immutable as
      $$ select rpad(lpad(to_hex((extract(epoch from of_month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0'), 32, '0')::uuid $$`)
  await db.query("comment on function audit_bound is 'the smallest UUIDv7 of a month'")
  await db.query('create table if not exists audit_log_aside (like audit_log)')
  await db.query(`
    do $$ begin
      if exists (select from pg_constraint where conname = 'audit_log_bound') then return; end if;
      ${lockBriefly('audit_log')}
      execute format('alter table audit_log add constraint audit_log_bound check (id < %L) not valid',
        audit_bound((date_trunc('month', now() at time zone 'UTC') + interval '2 months')::date));
    end $$`)
  await db.query(`
    do $$ declare
      bound uuid := (select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''') from pg_constraint where conname = 'audit_log_bound');
    begin
      if not exists (select from audit_log where id >= bound) then return; end if;
      ${lockBriefly('audit_log')}
      alter table audit_log disable trigger audit_log_keep;
      with moved as (delete from audit_log where id >= bound returning *) insert into audit_log_aside select * from moved;
      alter table audit_log enable trigger audit_log_keep;
    end $$`)
  await db.query('alter table audit_log validate constraint audit_log_bound')
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table audit_log drop constraint if exists audit_log_bound')
  await db.query(`
    do $$ begin
      if to_regclass('audit_log_aside') is null then return; end if;
      insert into audit_log select * from audit_log_aside;
      drop table audit_log_aside;
    end $$`)
  await db.query('drop function if exists audit_bound(date)')
}
