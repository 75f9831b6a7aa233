import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  // An existing pool is taken for this database's own unless the database is known to be restored.
  await db.query(`
    create table deposit_pool (
      one boolean primary key default true check (one),
      identity text not null,
      first_index bigint not null default 0,
      renewed_at timestamptz not null default now()
    );
    comment on table deposit_pool is 'what this database was when its free addresses were derived: while it is another, none of them is given out';
    comment on column deposit_pool.first_index is 'addresses below it may have been given out after the state that was restored';
    insert into deposit_pool (identity) select present_identity()
    where exists (select 1 from database_identity where identity = present_identity()) or not exists (select 1 from deposit_addresses);
    insert into deposit_pool (identity) values ('of an earlier version') on conflict do nothing;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table deposit_pool')
}
