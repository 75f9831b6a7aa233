import type { Queryable } from '../src/platform/database/db.ts'

/** The time of a posting, up to when the books are final, and entries whose ids are far from their times. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    -- An entry's time is read under a lock that the transaction holds until its end, so that others see the oldest time that may still appear. Nobody
    -- waits for this lock: it is shared, and named by the second in which it was taken (since 2020, to fit into four bytes).
    create function ledger_posting_time() returns timestamptz language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext('cowry/posting'), floor(extract(epoch from clock_timestamp()) - 1577836800)::integer);
      return clock_timestamp();
    end $$;

    -- Entries of before this time have been committed, and no later one gets a time before it. To be read before the entries: what it excludes may be
    -- committed meanwhile.
    create function ledger_final_until() returns timestamptz language plpgsql as $$
    declare
      latest timestamptz := clock_timestamp();
      oldest bigint;
    begin
      select min(objid::bigint) into oldest from pg_locks
        where locktype = 'advisory' and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
          and classid::bigint = hashtext('cowry/posting')::bigint & 4294967295;
      return least(latest, to_timestamp(oldest + 1577836800));
    end $$;
    revoke all on function ledger_posting_time(), ledger_final_until() from public;

    create table ledger_id_drifts (
      entry_id uuid primary key,
      ms bigint not null check (ms > 0)
    );
    create index ledger_id_drifts_ms on ledger_id_drifts (ms);
    comment on table ledger_id_drifts is
      'entries whose id, made by the clock of a process, is over an hour from their time, by the clock of the database: reads by id reach that far';
    insert into ledger_id_drifts (entry_id, ms)
    select id, ms from (
      select id, abs(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint - floor(extract(epoch from created_at) * 1000)::bigint) as ms
      from ledger_entries
    ) entries where ms > 3600000;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table ledger_id_drifts; drop function ledger_final_until(), ledger_posting_time()')
}
