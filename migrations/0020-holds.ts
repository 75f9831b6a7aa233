import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    -- Runs with its owner's rights: the signing and sending processes can lock a business without the right to change it.
    create function approval_kept(of_business uuid) returns text language sql volatile security definer set search_path = public, pg_temp as $$
      select approval from businesses where id = of_business for key share
    $$;
    comment on function approval_kept is
      'a business''s approval, which stays as it is until the transaction ends: what changes it locks the row for update first';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function approval_kept')
}
