import type { Queryable, Tx } from '../platform/database/db.ts'
import { type SendLimits, unlimited } from './limits.ts'

/** The subject of limits: a stored wallet; or a key, by the root that its rotations share. */
export interface Subject {
  kind: 'wallet' | 'key'
  id: string
}

/** Looser limits that apply later. */
export interface NextLimits extends SendLimits {
  from: string
}

/**
 * SQL: the limits of a row of `send_limits` at this moment, and the looser ones that apply later. @param of
 * its alias
 */
export const limitsSql = (of: string): string => {
  const now = (field: string) =>
    `case when ${of}.next_from <= now() then nullif(${of}.next->'${field}', 'null') else ${of}.${field} end as ${field}`
  return `${now('amounts')}, ${now('destinations')}, case when ${of}.next_from > now() then ${of}.next || jsonb_build_object('from', ${of}.next_from) end as next`
}

/** The limits that apply now. */
export async function readLimits(db: Queryable, subject: Subject): Promise<SendLimits> {
  return (await readAllLimits(db, subject)).limits
}

/** The limits that apply now, and the looser ones that apply later. */
export async function readAllLimits(
  db: Queryable,
  { kind, id }: Subject,
): Promise<{ limits: SendLimits; next: NextLimits | null }> {
  const [row] = await db.query<SendLimits & { next: NextLimits | null }>(
    `select ${limitsSql('l')} from send_limits l where subject = $1 and subject_id = $2`,
    [kind, id],
  )
  if (!row) return { limits: unlimited, next: null }
  const { next, ...limits } = row
  return { limits, next: next && { ...next, from: new Date(next.from).toISOString() } }
}

/** Serializes transfers and changes of limits of a subject. Lock wallets before keys. */
export async function lockLimits(tx: Tx, { kind, id }: Subject): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`send limits of ${kind} ${id}`])
}
