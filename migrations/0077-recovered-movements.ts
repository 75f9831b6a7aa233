import type { Queryable } from '../src/platform/database/db.ts'

/**
 * What sweeps moved whose rows a restore of the database has lost: by address, so that its holdings fit
 * again.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table recovered_movements (
      check_id bigint not null references chain_checks,
      chain text not null,
      address text not null,
      symbol text not null,
      amount numeric(78, 0) not null check (amount <> 0),
      primary key (check_id, address, symbol)
    );
    comment on table recovered_movements is 'what sweeps moved whose rows a restore has lost, as an operator has booked it';
    comment on column recovered_movements.amount is 'base units: what the address has more than the books had; negative: less';
    create index recovered_movements_address on recovered_movements (chain, address);
    create trigger recovered_movements_append_only before update or delete or truncate on recovered_movements
      for each statement execute function refuse_change();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table recovered_movements')
}
