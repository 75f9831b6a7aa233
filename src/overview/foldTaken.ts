import type { Queryable } from '../platform/database/db.ts'

/** Changes folded in one statement. */
const batch = 5000

/**
 * Adds the noted changes to the sums, for maintenance. Readers add up both, and see each change in one of the
 * two; many may fold at once, and none waits for a session.
 */
export async function foldTaken(db: Queryable): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ n: number }>(
      `with folded as (
         delete from taken_changes where ctid = any(array(select ctid from taken_changes limit ${batch} for update skip locked)) returning *
       ), added as (
         insert into taken_sums (business_id, at, chain, token, currency, payments, units, local, unpaid)
         select business_id, at, chain, token, currency, sum(payments), sum(units), sum(local), sum(unpaid)
         from folded group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
         on conflict (business_id, at, chain, token, currency) do update set payments = taken_sums.payments + excluded.payments,
           units = taken_sums.units + excluded.units, local = taken_sums.local + excluded.local, unpaid = taken_sums.unpaid + excluded.unpaid
       )
       select count(*)::int as n from folded`,
    )
    if ((row?.n ?? 0) < batch) return
  }
}
