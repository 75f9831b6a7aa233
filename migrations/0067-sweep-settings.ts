import type { Queryable } from '../src/platform/db.ts'

/** Autosweep by business, chain and token: without a row it is off. */
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
    comment on table sweep_settings is 'which tokens are swept from a business''s deposit addresses to the treasury by themselves; no row: none';
    comment on column sweep_settings.threshold is 'base units: an address with less is not swept';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table sweep_settings')
}
