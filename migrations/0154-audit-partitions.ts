import type { Queryable } from '../src/platform/database/db.ts'
import { lockBriefly } from './lockBriefly.ts'

export const expands = true

const columns = `
  id uuid not null,
  at timestamptz not null default now(),
  business_id uuid,
  actor_kind text not null constraint audit_log_actor_kind_check check (actor_kind in ('account', 'api_key', 'system')),
  actor_id uuid,
  actor_label text not null,
  action text not null,
  target text,
  before jsonb,
  after jsonb,
  address text,
  request_id text`
const indexes = { business: '(business_id, id)', action: '(action, id)', actor: '(actor_id, id)' }

/**
 * Rights of the roles on the table as it was, for the new one: processes of the version before go on.
 * Partitions have no rights, they are reached through it.
 */
const passRightsOn = (from: string, to: string) => `
  do $$ declare given record; begin
    for given in
      select distinct grantee, privilege_type || case when attname is null then '' else format(' (%I)', attname) end as what from (
        select (aclexplode(relacl)).*, null::name as attname from pg_class where oid = '${from}'::regclass
        union all
        select (aclexplode(attacl)).*, attname from pg_attribute where attrelid = '${from}'::regclass and attacl is not null) rights
      where grantee <> (select relowner from pg_class where oid = '${from}'::regclass)
    loop
      execute format('grant %s on ${to} to %s', given.what, case when given.grantee = 0 then 'public' else given.grantee::regrole::text end);
      execute format('revoke all on ${from} from %s', case when given.grantee = 0 then 'public' else given.grantee::regrole::text end);
    end loop;
  end $$`

const keep = (table: string) =>
  `create trigger audit_log_keep before update or delete or truncate on ${table} for each statement execute function keep_audit_log()`
/** Added by 0187-verification-role; it is there where that step was taken before this one. */
const guardVerification = (table: string) => `
  do $$ begin
    if to_regproc('keep_verification_audit_log') is not null then
      create trigger audit_log_of_verification before insert on ${table}
        for each row when (not has_function_privilege('writes_for_all_areas()'::regprocedure, 'execute')) execute function keep_verification_audit_log();
    end if;
  end $$`

/**
 * The audit log is its first partition (`audit_log_earlier`), months, and what is later than the last month
 * (`audit_log_later`, which should be empty). All ranges of ids have a partition: an entry always finds one.
 * There is no default partition: with one, Postgres could not read a list partition by partition, and would
 * open each of them for a page.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`do $$ begin ${lockBriefly('businesses, audit_log')} end $$`)
  await db.query(`
    alter table audit_log rename to audit_log_earlier;
    alter index audit_log_pkey rename to audit_log_earlier_pkey;
    ${Object.keys(indexes)
      .map((name) => `alter index audit_log_${name} rename to audit_log_earlier_${name};`)
      .join('\n')}
    drop trigger if exists audit_log_of_verification on audit_log_earlier;
    create table audit_log (${columns},
      constraint audit_log_pkey primary key (id),
      constraint audit_log_business_id_fkey foreign key (business_id) references businesses
    ) partition by range (id);
    comment on table audit_log is 'who changed what, from where; rows are added and never changed';
    ${Object.entries(indexes)
      .map(([name, key]) => `create index audit_log_${name} on audit_log ${key};`)
      .join('\n')}
    do $$ declare
      bound uuid := (select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''') from pg_constraint where conname = 'audit_log_bound');
    begin
      execute format('alter table audit_log attach partition audit_log_earlier for values from (minvalue) to (%L)', bound);
      execute format('create table audit_log_later partition of audit_log for values from (%L) to (maxvalue)', bound);
    end $$;
    alter table audit_log_earlier drop constraint audit_log_bound;
    ${keep('audit_log')};
    ${keep('audit_log_later')};
  `)
  await db.query(guardVerification('audit_log'))
  await db.query(passRightsOn('audit_log_earlier', 'audit_log'))
  await db.query(`
    create table audit_retention (
      one boolean primary key default true check (one),
      days integer not null check (days >= 365),
      held_until timestamptz
    );
    comment on table audit_retention is 'how long entries of the audit log are kept; no row: for ever. Only the owner of the tables sets it';
    comment on column audit_retention.held_until is 'the oldest partition has a younger entry, and stays until then';

    create function audit_months() returns table (name text, from_day date, to_day date) language sql stable as $$
      select relname::text, to_date(right(relname, 8), 'YYYYMMDD'), (to_date(right(relname, 8), 'YYYYMMDD') + interval '1 month')::date
      from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'audit_log'::regclass and relname ~ '^audit_log_p[0-9]{8}$' order by 1 $$;
    comment on function audit_months is 'the months of the audit log that have a partition of their own';

    create function audit_later_from() returns date language sql stable as $$
      select (to_timestamp(('x' || left(replace(substring(pg_get_expr(relpartbound, oid) from '''([0-9a-f-]{36})'''), '-', ''), 12))::bit(48)::bigint / 1000.0)
        at time zone 'UTC')::date
      from pg_class where oid = 'audit_log_later'::regclass $$;
    comment on function audit_later_from is 'the day from which entries of the audit log have no month yet';

    create function add_audit_months() returns integer language plpgsql security definer as $$
    declare
      -- Bounded here: a caller cannot make tables at will.
      until date := (date_trunc('month', now() at time zone 'UTC') + interval '5 months')::date;
      month date := audit_later_from();
      made integer := 0;
    begin
      if month >= until then return 0; end if;
      lock table audit_log_later in access exclusive mode;
      lock table only audit_log in access exclusive mode;
      month := audit_later_from();
      -- Entries that were written while no worker made months go to their own.
      create table audit_log_strays as select * from audit_log_later;
      drop table audit_log_later;
      while month < until loop
        execute format('create table audit_log_p%s partition of audit_log for values from (%L) to (%L)',
          to_char(month, 'YYYYMMDD'), audit_bound(month), audit_bound((month + interval '1 month')::date));
        execute format('create trigger audit_log_keep before update or delete or truncate on audit_log_p%s for each statement execute function keep_audit_log()',
          to_char(month, 'YYYYMMDD'));
        month := (month + interval '1 month')::date;
        made := made + 1;
      end loop;
      execute format('create table audit_log_later partition of audit_log for values from (%L) to (maxvalue)', audit_bound(month));
      create trigger audit_log_keep before update or delete or truncate on audit_log_later for each statement execute function keep_audit_log();
      insert into audit_log select * from audit_log_strays;
      drop table audit_log_strays;
      return made;
    end $$;

    create function drop_audit_month() returns text language plpgsql security definer as $$
    declare
      kept_days integer := (select days from audit_retention where held_until is null or held_until <= now());
      oldest record;
      since timestamptz;
      youngest timestamptz;
    begin
      if kept_days is null then return null; end if;
      since := now() - kept_days * interval '1 day';
      -- The first partition goes first; it stays as an empty one, for ids that are older than every month.
      if exists (select from audit_log_earlier) then
        select 'audit_log_earlier' as name, coalesce((select min(from_day) from audit_months()), audit_later_from()) as to_day into oldest;
      else
        select name, to_day into oldest from audit_months() order by to_day limit 1;
      end if;
      if oldest.name is null or oldest.to_day::timestamp at time zone 'UTC' > since then return null; end if;
      -- No process writes to it any more, unless its clock is wrong: then the entry's own time is young, and keeps the whole partition.
      execute format('lock table %I in share mode', oldest.name);
      execute format('select max(at) from %I', oldest.name) into youngest;
      if youngest > since then
        update audit_retention set held_until = youngest + kept_days * interval '1 day';
        return null;
      end if;
      lock table only audit_log in access exclusive mode;
      -- A process with a wrong clock may have written to the first partition since.
      if oldest.name <> 'audit_log_earlier' and exists (select from audit_log_earlier) then return null; end if;
      execute format('drop table %I', oldest.name);
      if oldest.name <> 'audit_log_earlier' then drop table audit_log_earlier; end if;
      execute format('create table audit_log_earlier partition of audit_log for values from (minvalue) to (%L)', audit_bound(oldest.to_day));
      create trigger audit_log_keep before update or delete or truncate on audit_log_earlier for each statement execute function keep_audit_log();
      return oldest.name;
    end $$;
    revoke all on function audit_bound(date), audit_months(), audit_later_from(), add_audit_months(), drop_audit_month() from public;
    do $$ begin
      execute format('alter function add_audit_months() set search_path = %I, pg_temp', current_schema());
      execute format('alter function drop_audit_month() set search_path = %I, pg_temp', current_schema());
    end $$;
    select add_audit_months();
    insert into audit_log select * from audit_log_aside;
    drop table audit_log_aside;
  `)
}

/** Reads and writes the whole log: the version before has one table. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    lock table businesses, audit_log in access exclusive mode;
    drop function drop_audit_month(); drop function add_audit_months(); drop function audit_later_from(); drop function audit_months();
    drop table audit_retention;
    alter table audit_log rename to audit_log_partitioned;
    alter index audit_log_pkey rename to audit_log_partitioned_pkey;
    ${Object.keys(indexes)
      .map((name) => `alter index audit_log_${name} rename to audit_log_partitioned_${name};`)
      .join('\n')}
    create table audit_log (${columns.replace('id uuid not null', 'id uuid constraint audit_log_pkey primary key')});
    comment on table audit_log is 'who changed what, from where; rows are added and never changed';
    create table audit_log_aside (like audit_log);
    do $$ declare
      bound uuid := audit_bound((date_trunc('month', now() at time zone 'UTC') + interval '2 months')::date);
    begin
      insert into audit_log select * from audit_log_partitioned where id < bound;
      insert into audit_log_aside select * from audit_log_partitioned where id >= bound;
      execute format('alter table audit_log add constraint audit_log_bound check (id < %L)', bound);
    end $$;
  `)
  await db.query(guardVerification('audit_log'))
  await db.query(passRightsOn('audit_log_partitioned', 'audit_log'))
  await db.query(`
    drop table audit_log_partitioned;
    alter table audit_log add constraint audit_log_business_id_fkey foreign key (business_id) references businesses;
    ${Object.entries(indexes)
      .map(([name, key]) => `create index audit_log_${name} on audit_log ${key};`)
      .join('\n')}
    ${keep('audit_log')};
  `)
}
