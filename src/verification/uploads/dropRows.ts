import type { Queryable } from '../../platform/database/db.ts'

/**
 * Deletes uploads with their keys. Their files are strays from then on, which `dropFiles` drops after the
 * transaction: without a key they cannot be read.
 * @param which SQL of the rows of `verification_uploads`, with `values` from $1 on
 * @returns their ids
 */
export async function dropRows(db: Queryable, which: string, values: unknown[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with gone as (delete from verification_uploads where ${which} returning id)
     insert into verification_stray_files (id, drop_after) select id, now() from gone returning id`,
    values,
  )
  return rows.map(({ id }) => id)
}
