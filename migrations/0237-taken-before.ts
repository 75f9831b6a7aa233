import type { Queryable } from '../src/platform/database/db.ts'
import { contribution, noteTaken, searchPath } from './0236-taken-sums.ts'

export const expands = true
/** It commits after each batch. */
export const inTransaction = false

const batch = 1000

/** @param which of the sessions that are not in the sums yet */
const sum = (which: string) => `
        with batch as materialized (
          select * from pos_sessions where id > (select through from taken_progress) ${which}
        ), added as (
          insert into taken_sums (business_id, at, chain, token, currency, payments, units, local, unpaid)
          select c.business_id, c.at, c.chain, c.token, c.currency, sum(c.payments), sum(c.units), sum(c.local), sum(c.unpaid)
          from batch s cross join lateral (${contribution('s', 1)}) c group by 1, 2, 3, 4, 5
          on conflict (business_id, at, chain, token, currency) do update set payments = taken_sums.payments + excluded.payments,
            units = taken_sums.units + excluded.units, local = taken_sums.local + excluded.local, unpaid = taken_sums.unpaid + excluded.unpaid
        )`

/**
 * Sums the sessions of before, in the order of their ids. A session counts from the moment that `through`
 * reaches it: its row is locked until then, so that each change is either in what is read here, or noted by
 * its trigger. The ids of new sessions are larger; those of the last ten minutes, which may not be, are summed
 * last, while no session is written.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    do $step$
    declare
      recent uuid;
      hex text;
      reached uuid;
    begin
      loop
        hex := lpad(to_hex((extract(epoch from clock_timestamp() - interval '10 minutes') * 1000)::bigint), 12, '0');
        recent := (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid;
        ${sum(`and id < recent order by id limit ${batch} for update`)}
        select id into reached from batch order by id desc limit 1;
        exit when reached is null;
        update taken_progress set through = reached;
        commit;
      end loop;
      set local lock_timeout = '3s';
      lock table pos_sessions in share row exclusive mode;
      ${sum('')}
        update taken_progress set through = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
      execute $note$${noteTaken('create or replace', false)}$note$;
      execute format('alter function note_taken() set search_path = %I, pg_temp', current_schema());
      commit;
    end $step$
  `)
}

/** The sums of before stay. */
export async function down(db: Queryable): Promise<void> {
  await db.query(`${noteTaken('create or replace', true)} ${searchPath}`)
}
