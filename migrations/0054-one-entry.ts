import type { Queryable } from '../src/platform/database/db.ts'

/**
 * An entry is unique by its cause and step. Existing entries are numbered by their order within a cause.
 * Nearly every cause has one entry and is a payment of a session, so that is the default of the new columns,
 * and only the other rows are written: the table is read once, not rewritten.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    set local work_mem = '256MB';
    alter table ledger_entries
      add cause_kind text not null default 'session_payment',
      add step integer not null default 1 check (step > 0);
    alter table ledger_entries disable trigger ledger_entries_append_only;
    update ledger_entries set cause_kind = 'suspense_payment' where kind like 'suspense.%';
    create temporary table counted on commit drop as
      select cause_kind, reference, count(*)::integer as entries from ledger_entries group by 1, 2;
    analyze counted;
    update ledger_entries e set step = numbered.step
    from (select e.id, row_number() over (partition by e.cause_kind, e.reference order by e.created_at, e.id) as step
          from ledger_entries e join counted c using (cause_kind, reference) where c.entries > 1) as numbered
    where e.id = numbered.id and numbered.step > 1;
    alter table ledger_entries enable trigger ledger_entries_append_only;
    alter table ledger_entries
      alter cause_kind drop default,
      alter step drop default,
      add constraint ledger_entries_cause unique (reference, cause_kind, step);
    drop index ledger_entries_reference;
    comment on column ledger_entries.cause_kind is 'the table of the cause, in the singular';
    comment on column ledger_entries.reference is 'the id of the cause';
    comment on column ledger_entries.step is 'which of the entries of its cause, from 1; the cause counts them';

    alter table session_payments add entries integer not null default 1 check (entries >= 0);
    alter table suspense_payments add entries integer not null default 1 check (entries >= 0);
    update session_payments p set entries = coalesce(c.entries, 0)
    from session_payments s left join counted c on c.reference = s.detection_id::text and c.cause_kind = 'session_payment'
    where p.detection_id = s.detection_id and c.entries is distinct from 1;
    update suspense_payments p set entries = coalesce(c.entries, 0)
    from suspense_payments s left join counted c on c.reference = s.detection_id::text and c.cause_kind = 'suspense_payment'
    where p.detection_id = s.detection_id and c.entries is distinct from 1;
    alter table session_payments alter entries set default 0;
    alter table suspense_payments alter entries set default 0;
    comment on column session_payments.entries is 'how many entries moved it: the step of its last one';
    comment on column suspense_payments.entries is 'how many entries moved it: the step of its last one';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table suspense_payments drop entries;
    alter table session_payments drop entries;
    create index ledger_entries_reference on ledger_entries (reference);
    alter table ledger_entries drop constraint ledger_entries_cause, drop step, drop cause_kind;
    comment on column ledger_entries.reference is null
  `)
}
