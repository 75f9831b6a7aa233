import type { Queryable } from '../src/platform/database/db.ts'

/** The operator holds or reprices one intent. Only metadata changes: no row is rewritten or read. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents
      add held_at timestamptz,
      add held_reason text,
      add min_price numeric(78, 0) check (min_price > 0),
      add constraint intents_held_check check ((held_at is null) = (held_reason is null)) not valid;
    comment on column intents.held_at is 'when the operator held it: it is neither planned, signed nor sent; null: it is not held';
    comment on column intents.held_reason is 'in the operator''s words; not shown to the business';
    comment on column intents.min_price is 'what its transaction pays at least by the operator''s word, per unit of gas: one that pays less is replaced';
  `)
}

/** Refuses while intents are held: the version before would sign and send them. */
export async function down(db: Queryable): Promise<void> {
  const [held] = await db.query(
    'select 1 from intents where held_at is not null and next_reconcile_at is not null limit 1',
  )
  if (held) throw new Error('intents are held: release them, or give them up, before the version before runs')
  await db.query(
    'alter table intents drop constraint intents_held_check, drop min_price, drop held_reason, drop held_at',
  )
}
