import type { Chain } from '../../chains/registry.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { type SearchPart, searchParts } from './searchParts.ts'
import { type Range, walkParts } from './walkParts.ts'

/** What a search finds. */
export type Found =
  /** Few: each by its id. */
  | { ids: string[] }
  /** Any session of the filters that has one of the parts: the filters have few. */
  | { condition: string; values: unknown[] }
  /** Many: they are read as far as a page needs them. */
  | { parts: SearchPart[]; counted: number }

/** Beyond it, a search counts no further. */
export const maxFound = 1000
/** Of more candidates than the second, those that pass other filters are counted to the first. */
const [maxFiltered, maxLooked] = [100, 5000]
/** So many sessions are read one by one. */
const fewRows = 10_000

/** @param range all that the other filters have; newest first @param isFiltered there are other filters */
export async function findSessions(
  ctx: { chains: readonly Chain[] },
  db: Queryable,
  range: Range,
  text: string,
  isFiltered: boolean,
): Promise<Found> {
  const parts = await searchParts(ctx, db, range.businessId, text)
  if (isFiltered && (await hasFew(db, range))) {
    const first = range.values.length + 1
    const conditions = parts.map(({ condition }, index) => `(${condition(`$${first + index}`)})`)
    return { condition: `(${conditions.join(' or ')})`, values: parts.map(({ value }) => value) }
  }
  const effort = { looked: 0 }
  const ids: string[] = []
  for await (const { id } of walkParts(db, range, parts, effort)) {
    ids.push(id)
    if (ids.length > maxFound) return { parts, counted: maxFound }
    if (isFiltered && ids.length >= maxFiltered && effort.looked > maxLooked)
      return { parts, counted: ids.length }
  }
  return { ids }
}

async function hasFew(db: Queryable, { where, values }: Range): Promise<boolean> {
  const [row] = await db.query<{ n: number }>(
    `select count(*)::int as n from (select from pos_sessions where ${where} limit ${fewRows + 1}) first`,
    [...values],
  )
  return (row?.n ?? 0) <= fewRows
}
