import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Settled intents stay settled: one that has failed, or was given up by the operator, still has its proof,
 * and would be signed if a process could reset its row. The owner of the tables may.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create function keep_settled() returns trigger language plpgsql as $$
    begin
      if not pg_has_role((select relowner from pg_class where oid = tg_relid), 'usage') then
        raise exception 'permission denied for a row of outgoing that is settled' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$;
    create trigger outgoing_keep_settled before update on outgoing for each row
      when (old.next_look_at is null and (new.next_look_at is not null or new.status is distinct from old.status)) execute function keep_settled();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop trigger outgoing_keep_settled on outgoing; drop function keep_settled()')
}
