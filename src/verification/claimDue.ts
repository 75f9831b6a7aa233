import type { Db } from '../platform/database/db.ts'
import { requestColumns, type StoredRequest } from './model.ts'

export const attemptKinds = ['first', 'retry'] as const
export type AttemptKind = (typeof attemptKinds)[number]

export interface Claims {
  attempt: AttemptKind
  /** Of all businesses together. */
  max: number
  maxPerBusiness: number
  /** Claimed by this process before, and still running. */
  running: ReadonlyMap<string, number>
  /** Only requests that have waited for a day: they end without a check. */
  onlyOld: boolean
}

export type ClaimedRequest = StoredRequest & { isOld: boolean; traceparent: string | null }

const firstWaitSeconds = 30
const maxWaitSeconds = 3600
const isOld = "queued_at < now() - interval '1 day'"

/**
 * Takes checks that are due, and makes them due again later: no check is lost when a process ends. Businesses
 * take turns: the first of each before the second of any, so that one with many checks does not delay the
 * others. The index has the businesses in order; each costs two steps, not a scan of its rows.
 */
export async function claimDue(
  db: Db,
  { attempt, max, maxPerBusiness, running, onlyOld }: Claims,
): Promise<ClaimedRequest[]> {
  const open = `next_attempt_at is not null and ${attempt === 'first' ? 'attempts = 0' : 'attempts > 0'}`
  const due = `${open} and next_attempt_at <= now()${onlyOld ? ` and ${isOld}` : ''}`
  return db.query<ClaimedRequest>(
    `with recursive businesses as (
       (select business_id from verifications where ${open} order by business_id limit 1)
       union all
       select (select v.business_id from verifications v where v.business_id > b.business_id and ${open} order by v.business_id limit 1)
       from businesses b where b.business_id is not null
     ), turns as (
       select each.* from businesses b
         left join unnest($3::uuid[], $4::integer[]) as r (business_id, count) using (business_id)
         cross join lateral (
           select id, next_attempt_at, row_number() over (order by next_attempt_at) as place from verifications
           where business_id = b.business_id and ${due} order by next_attempt_at limit $2::integer) each
       where each.place <= $2::integer - coalesce(r.count, 0)
       order by each.place, each.next_attempt_at limit $1
     ), claimed as (
       select id from verifications where id = any(array(select id from turns)) and ${due} for no key update skip locked
     )
     update verifications set status = 'processing', attempts = attempts + 1,
       next_attempt_at = now() + least($5 * 2.0 ^ least(attempts, 20), $6) * interval '1 second'
     where id = any(array(select id from claimed))
     returning ${requestColumns}, ${isOld} as "isOld", traceparent`,
    [max, maxPerBusiness, [...running.keys()], [...running.values()], firstWaitSeconds, maxWaitSeconds],
  )
}
