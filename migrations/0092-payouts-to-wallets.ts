import type { Queryable } from '../src/platform/database/db.ts'

/** The api proves destinations to the treasury, which records the intents that it takes for outflows. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table payout_destinations add proof bytea;
    comment on column payout_destinations.proof is 'of the api, for the treasury; null: saved by an earlier version, and nothing is paid to it';
    create table outflow_signatures (
      outflow_id uuid not null,
      intent_id uuid not null,
      at timestamptz not null default now(),
      primary key (outflow_id, intent_id)
    );
    comment on table outflow_signatures is 'the intents that the treasury has taken for outflows; it alone writes it';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table outflow_signatures; alter table payout_destinations drop proof')
}
