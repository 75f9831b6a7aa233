import { type Caps, requireRoom } from '../limits/caps.ts'
import type { Queryable, Tx } from '../platform/db.ts'

/**
 * After the session is written, which is counted with the others.
 * @throws ApiError 409 `cap_reached`
 */
export const requireRoomForSession = (tx: Tx, caps: Pick<Caps, 'openSessions'>, businessId: string): Promise<void> =>
  requireRoom(tx, caps, businessId, { name: 'openSessions', count: () => countOpen(tx, businessId), slack: 1000 })

/** Each session adds a row of differences; a count that finds many adds them up, so that the next is cheap. */
async function countOpen(tx: Tx, businessId: string): Promise<number> {
  const [row] = await tx.query<{ n: string; rows: number }>(
    'select coalesce(sum(n), 0) as n, count(*)::int as rows from open_session_counts where business_id = $1',
    [businessId],
  )
  if ((row?.rows ?? 0) > foldAbove)
    await tx.query(
      `with folded as (
         delete from open_session_counts where ctid = any(array(
           select ctid from open_session_counts where business_id = $1 for update skip locked))
         returning n)
       insert into open_session_counts select $1, sum(n) from folded having count(*) > 0`,
      [businessId],
    )
  return Number(row?.n ?? 0)
}

const foldAbove = 200

/** Makes one row of each business's counts, for maintenance. Safe beside whatever adds more. */
export async function foldOpenSessions(db: Queryable): Promise<void> {
  await db.query(
    `with folded as (
       delete from open_session_counts where business_id in (select business_id from open_session_counts group by 1 having count(*) > 1)
       returning business_id, n)
     insert into open_session_counts select business_id, sum(n) from folded group by 1 having sum(n) <> 0`,
  )
}
