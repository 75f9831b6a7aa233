import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Splits keep what they move, so that the amounts of native stakes follow from them; and the events of native
 * stakes are remembered.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table stake_moves add rest_amount numeric(78, 0) check (rest_amount > 0);
    with recursive parts (rest_id, id) as (
      select rest_id, rest_id from stake_moves where rest_id is not null
      union all
      select p.rest_id, m.rest_id from parts p join stake_moves m on m.stake_id = p.id join intents i on i.id = m.intent_id
        where m.rest_id is not null and i.status not in ('failed', 'expired')
    ), opened as (select p.rest_id, sum(s.amount) as amount from parts p join stakes s on s.id = p.id group by p.rest_id)
    update stake_moves m set rest_amount = opened.amount from opened where m.rest_id = opened.rest_id;
    alter table stake_moves add check ((rest_id is null) = (rest_amount is null));
    alter table stakes add announced text check (announced in ('unstaking', 'withdrawn'));
    update stakes s set announced = s.status where s.type = 'native' and (s.status = 'withdrawn' or (s.status = 'unstaking' and (
      exists (select 1 from stake_moves m where m.stake_id = s.id and m.kind = 'unstake' and m.confirmed_at is not null)
      or not exists (select 1 from stake_moves m where m.stake_id = s.id and m.kind = 'unstake'))));
    alter table stake_moves drop column confirmed_at;
    comment on column stake_moves.rest_amount is 'what the rest gets of the stake; without rewards';
    comment on column stakes.announced is 'native: the state of its last event; null: active'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table stake_moves add confirmed_at timestamptz;
    update stake_moves m set confirmed_at = now() from stakes s where s.id = m.stake_id and s.announced is not null and m.kind = 'unstake';
    alter table stake_moves drop column rest_amount;
    alter table stakes drop column announced;
    comment on column stake_moves.confirmed_at is 'when its confirmation was first seen'
  `)
}
