import type { Db, Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'

/** An event as receivers get it, with its `webhook-id`. */
export interface EventRecord {
  id: string
  type: string
  timestamp: string
  version: number
  sequence: number
  /** Empty if it was erased. */
  data: object
  /** When its payload was erased on request; null: it was not. */
  erasedAt: string | null
}

export interface EventRow {
  id: string
  createdAt: Date
  type: string
  sequence: string
  data: object
  erasedAt: Date | null
}

/** The columns of `EventRow`. */
const eventRow = 'id, created_at as "createdAt", type, sequence, data, erased_at as "erasedAt"'

/** Version of the body; only new fields are added. */
const bodyVersion = 1

/** Sequence numbers examined per call, so that a rare type costs no more than a frequent one. */
const span = 10_000

export interface EventPage {
  events: EventRecord[]
  /** Value of `after` for the next call. */
  nextAfter: number
  hasMore: boolean
  /** The oldest event still stored; null if there is no event. */
  oldestSequence: number | null
  /** The newest event; 0 before the first. */
  latestSequence: number
}

export interface EventQuery {
  after: number | bigint
  limit: number
  /**
   * Types, and topics such as `session.*`, separated by commas; a page may then be empty although more
   * follow.
   */
  type?: string
}

/**
 * Events of the business after a sequence number, in order. Following `nextAfter` misses no event: an event
 * becomes visible only after all with lower numbers, because its transaction holds the lock of the number
 * until it commits.
 */
export function listEvents(ctx: { db: Db }, businessId: string, query: EventQuery): Promise<EventPage> {
  const { limit } = query
  const types = query.type?.split(',') ?? null
  return ctx.db.snapshot(async (tx) => {
    const [state] = await tx.query<{ latest: string | null; oldest: string | null }>(
      `select (select last from event_sequences where business_id = $1) as latest,
         (select sequence from events where business_id = $1 order by sequence limit 1) as oldest`,
      [businessId],
    )
    const latest = Number(state?.latest ?? 0)
    const oldest = state?.oldest == null ? null : Number(state.oldest)
    const after = Number(query.after)
    // Skip numbers whose events were dropped by age.
    const from = Math.max(after, (oldest ?? latest + 1) - 1)
    const to = from + span
    const rows = await tx.query<EventRow>(
      `select ${eventRow} from events
       where business_id = $1 and sequence > $2 and sequence <= $3 and ($4::text[] is null or type = any($4) or split_part(type, '.', 1) || '.*' = any($4)) order by sequence limit $5`,
      [businessId, from, to, types, limit],
    )
    const events = rows.map(presentEvent)
    const last = events.length === limit ? events.at(-1)?.sequence : undefined
    const nextAfter = last ?? Math.max(after, Math.min(to, latest))
    return { events, nextAfter, hasMore: nextAfter < latest, oldestSequence: oldest, latestSequence: latest }
  })
}

/** @throws ApiError 404 */
export async function getEvent(ctx: { db: Db }, businessId: string, id: string): Promise<EventRecord> {
  const [row] = isUuid(id)
    ? await ctx.db.query<EventRow>(`select ${eventRow} from events where id = $1 and business_id = $2`, [
        id,
        businessId,
      ])
    : []
  if (!row) throw notFound('Event')
  return presentEvent(row)
}

/** @throws ApiError 404 */
export async function readEvent(db: Queryable, id: string, at: Date): Promise<EventRecord> {
  const [row] = await db.query<EventRow>(`select ${eventRow} from events where id = $1 and created_at = $2`, [
    id,
    at,
  ])
  if (!row) throw notFound('Event')
  return presentEvent(row)
}

/**
 * The body for receivers: the three fields of Standard Webhooks, and the event's sequence number. The id is
 * in a header.
 */
export function bodyOf({
  type,
  createdAt,
  sequence,
  data,
}: Omit<EventRow, 'id' | 'erasedAt'>): Omit<EventRecord, 'id' | 'erasedAt'> {
  return { type, timestamp: createdAt.toISOString(), version: bodyVersion, sequence: Number(sequence), data }
}

const presentEvent = (row: EventRow): EventRecord => ({
  id: row.id,
  ...bodyOf(row),
  erasedAt: row.erasedAt?.toISOString() ?? null,
})
