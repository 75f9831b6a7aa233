import type { Queryable } from '../src/platform/database/db.ts'

/**
 * An operator ends an outflow that neither chain nor partner ends. It is followed afterwards, for what they
 * may still report.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows
      add ended_by text,
      add evidence text,
      add ended_tx_id text,
      add contradicted_at timestamptz,
      drop constraint outflows_rest,
      add constraint outflows_rest check (next_at is null or status not in ('failed', 'cancelled') or ended_by is not null),
      add constraint outflows_by_hand check (
        (ended_by is null) = (evidence is null)
        and (ended_by is null or status in ('completed', 'failed'))
        and (ended_by is not null or (ended_tx_id is null and contradicted_at is null)));
    create unique index outflows_ended_tx on outflows (to_chain, ended_tx_id) where ended_tx_id is not null;
    comment on column outflows.ended_by is 'the operator who ended it by hand; null: the chain, the partner or its business did';
    comment on column outflows.evidence is 'why the operator knows';
    comment on column outflows.ended_tx_id is 'the transaction that the operator names as its own';
    comment on column outflows.contradicted_at is 'chain or partner said otherwise later';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    update outflows set next_at = null where status in ('failed', 'cancelled');
    alter table outflows
      drop constraint outflows_rest,
      drop column ended_by,
      drop column evidence,
      drop column ended_tx_id,
      drop column contradicted_at,
      add constraint outflows_rest check (next_at is null or status not in ('failed', 'cancelled'));
  `)
}
