import type { Queryable } from '../src/platform/database/db.ts'

/** Comparisons of the books with what addresses hold on their chain, and what did not agree. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table chain_checks (
      id bigint generated always as identity primary key,
      chain text not null,
      started_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      addresses integer,
      drifts integer,
      problem text,
      check ((ended_at is null) = (drifts is null and problem is null))
    );
    create index chain_checks_newest on chain_checks (chain, id desc);
    comment on column chain_checks.ended_at is 'null: it runs, or its worker has died';
    comment on column chain_checks.drifts is 'how many differences it found; null: it could not compare';
    comment on column chain_checks.problem is 'why it could not';

    create table chain_drifts (
      check_id bigint not null references chain_checks,
      number integer not null,
      address text,
      symbol text not null,
      expected numeric(78, 0) not null,
      found numeric(78, 0) not null,
      primary key (check_id, number)
    );
    comment on column chain_drifts.address is 'null: in the account of deposits, by entries that name no address';
    create trigger chain_drifts_append_only before update or delete or truncate on chain_drifts for each statement execute function refuse_change();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table chain_drifts; drop table chain_checks')
}
