import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { type Caps, requireRoom } from '../rateLimits/caps.ts'

/** More sessions than can be uncommitted at once. */
const slack = 1000

const selectRoom = prepared(
  `select (select value from business_caps where business_id = $1 and name = 'openSessions') as own, coalesce(sum(n), 0) as n, count(*)::int as rows
   from open_session_counts where business_id = $1`,
)

/** True if the business is so far below its cap that a session more needs no count. Takes one statement. */
export async function isFarBelowCap(
  tx: Tx,
  caps: Pick<Caps, 'openSessions'>,
  businessId: string,
): Promise<boolean> {
  const [row] = await tx.query<{ own: string | null; n: string; rows: number }>(selectRoom, [businessId])
  if (!row || Number(row.n) + slack > Number(row.own ?? caps.openSessions)) return false
  if (row.rows > foldAbove) tx.send(foldRows, [businessId])
  return true
}

/**
 * Call it after the session is inserted: it is included in the count.
 * @throws ApiError 409 `cap_reached`
 */
export const requireRoomForSession = (
  tx: Tx,
  caps: Pick<Caps, 'openSessions'>,
  businessId: string,
): Promise<void> =>
  requireRoom(tx, caps, businessId, { name: 'openSessions', count: () => countOpen(tx, businessId), slack })

/**
 * Each session adds a row with a difference; a count that finds many rows folds them, so that the next one is
 * cheap.
 */
async function countOpen(tx: Tx, businessId: string): Promise<number> {
  const [row] = await tx.query<{ n: string; rows: number }>(
    'select coalesce(sum(n), 0) as n, count(*)::int as rows from open_session_counts where business_id = $1',
    [businessId],
  )
  if ((row?.rows ?? 0) > foldAbove) tx.send(foldRows, [businessId])
  return Number(row?.n ?? 0)
}

const foldAbove = 100

const foldRows = prepared(
  `with folded as (
     delete from open_session_counts where ctid = any(array(
       select ctid from open_session_counts where business_id = $1 for update skip locked))
     returning n)
   insert into open_session_counts select $1, sum(n) from folded having count(*) > 0`,
)

/** Folds the counts of each business into one row, for maintenance. Safe while sessions are written. */
export async function foldOpenSessions(db: Queryable): Promise<void> {
  await db.query(
    `with folded as (
       delete from open_session_counts where business_id in (select business_id from open_session_counts group by 1 having count(*) > 1)
       returning business_id, n)
     insert into open_session_counts select business_id, sum(n) from folded group by 1 having sum(n) <> 0`,
  )
}
