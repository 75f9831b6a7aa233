import type { Queryable } from '../platform/database/db.ts'

/** Folds each business's counts on a chain into one row. Safe while other transactions add more. */
export async function foldMonitoredCounts(db: Queryable): Promise<void> {
  await db.query(
    `with folded as (
       delete from monitored_address_counts where (business_id, chain) in (
         select business_id, chain from monitored_address_counts group by 1, 2 having count(*) > 1)
       returning business_id, chain, n)
     insert into monitored_address_counts select business_id, chain, sum(n) from folded group by 1, 2 having sum(n) <> 0`,
  )
}
