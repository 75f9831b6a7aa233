import type { Db, Queryable } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'

/** An event as receivers get it, with the `webhook-id` of its deliveries. */
export interface EventRecord {
  id: string
  type: string
  timestamp: string
  version: number
  sequence: number
  data: object
}

export interface EventRow {
  id: string
  created_at: Date
  type: string
  sequence: string
  data: object
}

/** Version of the body's form; it grows only by fields. */
const bodyVersion = 1

/** Numbers that one call looks at, so that a type which is rare costs no more than one that is not. */
const span = 10_000

export interface EventPage {
  events: EventRecord[]
  /** What `after` is to be in the next call. */
  nextAfter: number
  hasMore: boolean
  /** The oldest that is still kept; null where there is none. */
  oldestSequence: number | null
  /** Of the newest event; 0 where there was none yet. */
  latestSequence: number
}

/**
 * What happened to the business after an event, in order. Whoever follows `nextAfter` misses nothing: an event is seen only after
 * all those below its number, because its transaction held the lock of the number until it was committed.
 * @param query.type a type, or all of a topic as `session.*`; a page may then be empty although more follow
 */
export function listEvents(ctx: { db: Db }, businessId: string, query: { after: number | bigint; limit: number; type?: string }): Promise<EventPage> {
  const { limit, type } = query
  return ctx.db.snapshot(async (tx) => {
    const [state] = await tx.query<{ latest: string | null; oldest: string | null }>(
      `select (select last from event_sequences where business_id = $1) as latest,
         (select sequence from events where business_id = $1 order by sequence limit 1) as oldest`,
      [businessId],
    )
    const latest = Number(state?.latest ?? 0)
    const oldest = state?.oldest == null ? null : Number(state.oldest)
    const after = Number(query.after)
    // What was dropped by age is passed over.
    const from = Math.max(after, (oldest ?? latest + 1) - 1)
    const to = from + span
    const rows = await tx.query<EventRow>(
      `select id, created_at, type, sequence, data from events
       where business_id = $1 and sequence > $2 and sequence <= $3 and ($4::text is null or type = $4 or type like $5) order by sequence limit $6`,
      [businessId, from, to, type ?? null, type?.endsWith('.*') ? `${type.slice(0, -1)}%` : null, limit],
    )
    const events = rows.map(presentEvent)
    const last = events.length === limit ? events.at(-1)?.sequence : undefined
    const nextAfter = last ?? Math.max(after, Math.min(to, latest))
    return { events, nextAfter, hasMore: nextAfter < latest, oldestSequence: oldest, latestSequence: latest }
  })
}

/** @throws ApiError 404 */
export async function getEvent(ctx: { db: Db }, businessId: string, id: string): Promise<EventRecord> {
  const [row] = isUuid(id) ? await ctx.db.query<EventRow>('select * from events where id = $1 and business_id = $2', [id, businessId]) : []
  if (!row) throw notFound('Event')
  return presentEvent(row)
}

/** @throws ApiError 404 */
export async function readEvent(db: Queryable, id: string, at: Date): Promise<EventRecord> {
  const [row] = await db.query<EventRow>('select * from events where id = $1 and created_at = $2', [id, at])
  if (!row) throw notFound('Event')
  return presentEvent(row)
}

/** What a receiver gets: Standard Webhooks' three fields, and which event of the business this is. The id travels in a header. */
export function bodyOf({ type, created_at, sequence, data }: Omit<EventRow, 'id'>): Omit<EventRecord, 'id'> {
  return { type, timestamp: created_at.toISOString(), version: bodyVersion, sequence: Number(sequence), data }
}

const presentEvent = (row: EventRow): EventRecord => ({ id: row.id, ...bodyOf(row) })
