import type { Db, Tx } from '../../platform/database/db.ts'
import { gramsOf } from './grams.ts'
import { between, newestKept, searchedText } from './searchedText.ts'

/** A row of `session_texts` is full with so many sessions, or so many bytes: it fits into a page. */
const [maxSessions, maxBytes] = [40, 4900]
/** Of one session: in UTF-8 no more than `maxBytes`. */
const maxLetters = 1200
/** A transaction that creates a session has ended after this, on any clock of a deployment. */
const settled = "interval '10 minutes'"
/** Sessions read at a time. */
const batch = 6000
const maxBusinesses = 100

/**
 * Writes the texts of settled sessions where a search reads them, for maintenance. Any number of processes may
 * run this.
 * @returns the number of sessions
 */
export async function keepTexts(db: Db, stopping?: AbortSignal): Promise<number> {
  const businesses = await db.query<{ id: string }>(
    `select b.id from businesses b
     left join lateral (select last_at, last_id from session_texts where business_id = b.id order by last_at desc, last_id desc limit 1) kept on true
     where exists (
       select from pos_sessions where business_id = b.id and created_at < now() - ${settled}
         and (created_at, id) > (coalesce(kept.last_at, '-infinity'), coalesce(kept.last_id, '00000000-0000-0000-0000-000000000000'))
       offset ${maxSessions - 1})
     limit ${maxBusinesses}`,
  )
  let sum = 0
  for (const { id } of businesses)
    for (let kept = -1; kept !== 0 && !stopping?.aborted; sum += kept)
      kept = await db.tx((tx) => keepBatch(tx, id))
  return sum
}

interface Text {
  id: string
  at: string
  text: string
}

/** @returns the number of sessions: none, if there are too few for a row, or another process writes them */
async function keepBatch(tx: Tx, businessId: string): Promise<number> {
  const [lock] = await tx.query<{ mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('cowry session texts ' || $1, 0)) as mine",
    [businessId],
  )
  if (!lock?.mine) return 0
  const [kept] = await tx.query<{ at: string; id: string }>(newestKept, [businessId])
  const texts = await tx.query<Text>(
    `select id, created_at::text as at, replace(left(${searchedText}, ${maxLetters}), ${between}, ' ') as text from pos_sessions
     where business_id = $1 and created_at < now() - ${settled}${kept ? ' and (created_at, id) > ($2::timestamptz, $3::uuid)' : ''}
     order by created_at, id limit ${batch}`,
    kept ? [businessId, kept.at, kept.id] : [businessId],
  )
  const rows = fullRows(texts)
  await tx.query(
    `insert into session_texts (business_id, first_at, first_id, last_at, last_id, texts, grams)
     select $1, * from unnest($2::timestamptz[], $3::uuid[], $4::timestamptz[], $5::uuid[], $6::text[], $7::bytea[])`,
    [
      businessId,
      rows.map((row) => row[0]?.at),
      rows.map((row) => row[0]?.id),
      rows.map((row) => row.at(-1)?.at),
      rows.map((row) => row.at(-1)?.id),
      rows.map((row) =>
        row
          .map(({ text }) => text)
          .reverse()
          .join('\u001e'),
      ),
      rows.map((row) => gramsOf(row.map(({ text }) => text))),
    ],
  )
  return rows.reduce((sum, row) => sum + row.length, 0)
}

/** In the order of the texts. The last ones wait until they fill a row. */
export function fullRows<T extends { text: string }>(texts: readonly T[]): T[][] {
  const rows: T[][] = []
  let row: T[] = []
  let bytes = 0
  for (const each of texts) {
    const size = Buffer.byteLength(each.text) + 1
    if (row.length === maxSessions || bytes + size > maxBytes + 1) {
      rows.push(row)
      row = []
      bytes = 0
    }
    row.push(each)
    bytes += size
  }
  if (row.length === maxSessions) rows.push(row)
  return rows
}
