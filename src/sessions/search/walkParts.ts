import type { Queryable } from '../../platform/database/db.ts'
import { bitsOfPart } from './grams.ts'
import { merged, type Place, placeColumns } from './places.ts'
import { between, newestKept } from './searchedText.ts'
import type { SearchPart } from './searchParts.ts'

/** The sessions among which parts are found, and from where on. */
export interface Range {
  businessId: string
  /** A condition on `pos_sessions`, and its values; the first is the business. */
  where: string
  values: readonly unknown[]
  since?: Date | undefined
  until?: Date | undefined
  sort: 'ASC' | 'DESC'
  /** The place after which it goes on. */
  after?: { createdAt: string; id: string } | undefined
}

/** How many sessions were looked at whose texts have a part. */
export interface Effort {
  looked: number
}

/** Rows are read in batches: small ones first, as most readers stop after a page. */
const [firstBatch, maxBatch] = [64, 1024]
/** The same of rows of `session_texts`, and of candidates. */
const [firstKept, maxKept] = [8, 1024]
const [firstIds, maxIds] = [100, 1000]

/** The sessions that one of the parts finds, in their order, as far as they are taken. */
export const walkParts = (
  db: Queryable,
  range: Range,
  parts: readonly SearchPart[],
  effort: Effort = { looked: 0 },
): AsyncGenerator<Place> =>
  merged(
    parts.map((part) => (part.isText ? walkTexts(db, range, part, effort) : walkRows(db, range, part))),
    range.sort,
  )

/** Rows of sessions that a part finds. @param only a condition more, of which `$n` are the values */
async function* walkRows(
  db: Queryable,
  range: Range,
  part: SearchPart,
  only?: { condition: (n: number) => string; values: readonly unknown[] },
): AsyncGenerator<Place[]> {
  let offset = 0
  for (let limit = firstBatch; ; limit = Math.min(maxBatch, limit * 4)) {
    const values = [...range.values]
    const conditions = [range.where, part.condition(`$${values.push(part.value)}`)]
    if (only) {
      conditions.push(only.condition(values.length + 1))
      values.push(...only.values)
    }
    const places = await placesOf(db, range, conditions, values, `limit ${limit} offset ${offset}`)
    yield places
    if (places.length < limit) return
    offset += limit
  }
}

/** Sessions of whose texts this is a part: those of `session_texts`, and newer ones by their rows. */
async function* walkTexts(
  db: Queryable,
  range: Range,
  part: SearchPart,
  effort: Effort,
): AsyncGenerator<Place[]> {
  const [kept] = await db.query<{ at: string; id: string }>(newestKept, [range.businessId])
  const newer = () =>
    walkRows(
      db,
      range,
      part,
      kept && {
        condition: (n) => `(created_at, id) > ($${n}::timestamptz, $${n + 1}::uuid)`,
        values: [kept.at, kept.id],
      },
    )
  if (range.sort === 'DESC') yield* newer()
  if (kept) yield* walkKept(db, range, part, effort)
  if (range.sort === 'ASC') yield* newer()
}

interface Kept {
  lastAt: string
  lastId: string
  ids: string[]
}

async function* walkKept(
  db: Queryable,
  range: Range,
  { value }: SearchPart,
  effort: Effort,
): AsyncGenerator<Place[]> {
  const isForwards = range.sort === 'ASC'
  // As Postgres makes letters lower, since the bits are of what it made.
  const [lower] = await db.query<{ part: string }>('select lower($1) as part', [value])
  const bits = bitsOfPart(lower?.part ?? '').map((bit) => `get_bit(grams, ${bit}) = 1`)
  // By `case`, since Postgres may take the conditions of an `and` in any order: the bits take less time.
  const hasPart = `case when ${['true', ...bits].join(' and ')} then strpos(texts, lower($2)) > 0 else false end`
  let size = firstIds
  let last: Kept | undefined
  for (let limit = firstKept; ; limit = Math.min(maxKept, limit * 4)) {
    const values: unknown[] = [range.businessId, value]
    const conditions = ['business_id = $1']
    const add = (condition: (n: number) => string, ...given: unknown[]) => {
      conditions.push(condition(values.length + 1))
      values.push(...given)
    }
    const place = (n: number) => `($${n}::timestamptz, $${n + 1}::uuid)`
    if (last) add((n) => `(last_at, last_id) ${isForwards ? '>' : '<'} ${place(n)}`, last.lastAt, last.lastId)
    if (range.since) add((n) => `last_at >= $${n}`, range.since)
    if (range.until) add((n) => `first_at < $${n}`, range.until)
    if (range.after)
      add(
        (n) => (isForwards ? `(last_at, last_id) > ${place(n)}` : `(first_at, first_id) < ${place(n)}`),
        range.after.createdAt,
        range.after.id,
      )
    const rows: Kept[] = await db.query<Kept>(
      `select last_at::text as "lastAt", last_id as "lastId", array(
         select split_part(text, chr(10), 1) from string_to_table(texts, ${between}) text where strpos(text, lower($2)) > 0) as ids
       from session_texts where ${conditions.join(' and ')} and ${hasPart}
       order by last_at ${range.sort}, last_id ${range.sort} limit ${limit}`,
      values,
    )
    // Kept newest first.
    const ids = rows.flatMap((row) => (isForwards ? row.ids.reverse() : row.ids))
    for (let start = 0; start < ids.length; ) {
      const some = ids.slice(start, start + size)
      start += size
      size = Math.min(maxIds, size * 3)
      effort.looked += some.length
      const all = [...range.values]
      yield await placesOf(db, range, [range.where, `id = any($${all.push(some)}::uuid[])`], all)
    }
    last = rows.at(-1)
    if (rows.length < limit) return
  }
}

function placesOf(
  db: Queryable,
  { sort, after }: Range,
  conditions: readonly string[],
  given: readonly unknown[],
  more = '',
): Promise<Place[]> {
  const values = [...given]
  const from = after
    ? ` and (created_at, id) ${sort === 'ASC' ? '>' : '<'} ($${values.push(after.createdAt)}::timestamptz, $${values.push(after.id)}::uuid)`
    : ''
  return db.query<Place>(
    `select ${placeColumns} from pos_sessions where ${conditions.join(' and ')}${from} order by created_at ${sort}, id ${sort} ${more}`,
    values,
  )
}
