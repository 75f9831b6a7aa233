import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table autopayout_settings (
      business_id uuid references businesses,
      chain text,
      token text,
      enabled boolean not null default false,
      destination_id uuid references payout_destinations,
      updated_at timestamptz not null default now(),
      primary key (business_id, chain, token),
      constraint autopayout_settings_destination check (destination_id is not null or not enabled)
    );
    comment on table autopayout_settings is 'autopayout of a business, by chain and token; without a row it is off';
    alter table pos_sessions add column payout_skipped text;
    comment on column pos_sessions.payout_skipped is 'why autopayout was on and made no payout when it was paid';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table pos_sessions drop column payout_skipped; drop table autopayout_settings')
}
