import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * Many payouts that are requested and approved together. Old rows of outflows belong to no batch, and the
 * version before makes none.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table payout_batches (
      id uuid primary key,
      business_id uuid not null references businesses,
      reference text,
      asked_by_account uuid references accounts,
      asked_by_key uuid references api_keys,
      created_at timestamptz not null
    );
    create index payout_batches_business on payout_batches (business_id, id);
    comment on table payout_batches is 'payouts that were requested together; their state is that of their outflows';
    alter table outflows add column batch_id uuid;
    alter table outflows add constraint outflows_batch_id_fkey foreign key (batch_id) references payout_batches not valid;
    comment on column outflows.batch_id is 'the batch that the payout was requested in; null: alone'
  `)
}

/** Their payouts stay, each by itself. */
export async function down(db: Queryable): Promise<void> {
  await db.query('alter table outflows drop column batch_id; drop table payout_batches')
}
