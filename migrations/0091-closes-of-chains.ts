import type { Queryable } from '../src/platform/database/db.ts'

/** A close records the last comparison of each chain with the books. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table chain_checks add height bigint;
    comment on column chain_checks.height is 'addresses were compared as of this block or a later one; null: as of the time of the check';

    create table ledger_close_chains (
      close_id bigint not null references ledger_closes,
      chain text not null,
      check_id bigint references chain_checks,
      checked_at timestamptz,
      height bigint,
      drifts integer,
      is_overdue boolean not null,
      primary key (close_id, chain),
      check ((check_id is null) = (checked_at is null) and (check_id is null) = (drifts is null))
    );
    comment on table ledger_close_chains is 'chains that hold money by the books, or were compared with them';
    comment on column ledger_close_chains.check_id is 'the last check that could compare; null: there was none';
    comment on column ledger_close_chains.is_overdue is 'was not compared since the close before; counts as a difference';
    create trigger ledger_close_chains_append_only before update or delete or truncate on ledger_close_chains
      for each statement execute function refuse_change();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table ledger_close_chains; alter table chain_checks drop height')
}
