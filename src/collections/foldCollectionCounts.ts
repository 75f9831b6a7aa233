import type { Queryable } from '../platform/database/db.ts'

/** Folds each business's counts of a state into one row. Safe while other transactions add more. */
export async function foldCollectionCounts(db: Queryable): Promise<void> {
  await db.query(
    `with folded as (
       delete from fiat_collection_counts where (business_id, status) in (
         select business_id, status from fiat_collection_counts group by 1, 2 having count(*) > 1)
       returning business_id, status, n)
     insert into fiat_collection_counts select business_id, status, sum(n) from folded group by 1, 2 having sum(n) <> 0`,
  )
}
