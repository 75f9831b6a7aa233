import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table treasury_floats (
      chain text not null,
      token text not null,
      balance numeric(78, 0) not null check (balance >= 0),
      read_at timestamptz not null default now(),
      primary key (chain, token)
    );
    comment on table treasury_floats is 'what the treasury''s addresses held when a worker read it last, in base units';

    create table treasury_levels (
      chain text not null,
      token text not null,
      low_water numeric(78, 0) not null check (low_water >= 0),
      updated_at timestamptz not null default now(),
      primary key (chain, token)
    );
    comment on table treasury_levels is 'the operator''s low-water marks, by npm run sweeps; below that of the native coin no sweep is paid for';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table treasury_levels; drop table treasury_floats')
}
