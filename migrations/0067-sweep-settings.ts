import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table sweep_settings (
      business_id uuid references businesses,
      chain text,
      token text,
      enabled boolean not null default false,
      threshold numeric(78, 0) not null default 0 check (threshold >= 0),
      updated_at timestamptz not null default now(),
      primary key (business_id, chain, token)
    );
    comment on table sweep_settings is 'autosweep of a business, by chain and token; without a row it is off';
    comment on column sweep_settings.threshold is 'base units that an address must hold before it is swept';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table sweep_settings')
}
