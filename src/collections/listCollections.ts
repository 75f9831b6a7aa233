import type { Db, Queryable } from '../platform/database/db.ts'
import {
  type Created,
  countSql,
  decodeCursor,
  idsWithin,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { type CollectionStatus, readCollections } from './collection.ts'
import { type CollectionItem, presentItem } from './presentCollection.ts'

export interface CollectionFilter extends Created {
  status?: readonly CollectionStatus[]
  currency?: string
  reference?: string
}

/**
 * A page of the business's collections, newest first by default. @throws ApiError 400 naming `cursor`
 */
export async function listCollections(
  ctx: { db: Db },
  businessId: string,
  filter: CollectionFilter,
  request: PageRequest,
): Promise<Page & { data: CollectionItem[] }> {
  const { page, limit, sort, cursor } = request
  const { where, values } = conditionOf(businessId, filter)
  return ctx.db.snapshot(async (tx) => {
    const total = await countOf(tx, businessId, filter, where, values)
    const n = values.length
    // The ids come from an index alone; only the rows of the page are read.
    const rows = await readCollections(
      tx,
      `business_id = $1 and id in (
         select id from fiat_collections where ${where} and ($${n + 1}::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $${n + 1})
         order by id ${sort} limit $${n + 2} offset $${n + 3}) order by id ${sort}`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { data: rows.map(presentItem), ...pageOf(rows, request, total) }
  })
}

/** Counted as rows come and go, unless another filter than the state needs each row. */
async function countOf(
  tx: Queryable,
  businessId: string,
  { status, ...others }: CollectionFilter,
  where: string,
  values: unknown[],
): Promise<number> {
  const isKept = Object.values(others).every((value) => value === undefined)
  const [row] = isKept
    ? await tx.query<{ n: number }>(
        `select coalesce(sum(n), 0)::int as n from fiat_collection_counts where business_id = $1 and ($2::text[] is null or status = any($2))`,
        [businessId, status ?? null],
      )
    : await tx.query<{ n: number }>(countSql(`from fiat_collections where ${where}`), values)
  return row?.n ?? 0
}

const columns = {
  status: 'status = any',
  currency: 'currency = ',
  reference: 'reference = ',
  since: 'created_at >= ',
  until: 'created_at < ',
  from: 'id >= ',
  before: 'id < ',
} as const satisfies Record<keyof CollectionFilter | keyof ReturnType<typeof idsWithin>, string>

function conditionOf(businessId: string, filter: CollectionFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [businessId]
  const parts = ['business_id = $1']
  const given = { ...filter, ...idsWithin(filter) }
  for (const [name, condition] of Object.entries(columns) as [keyof typeof columns, string][]) {
    const value = given[name]
    if (value !== undefined) parts.push(`${condition}($${values.push(value)})`)
  }
  return { where: parts.join(' and '), values }
}
