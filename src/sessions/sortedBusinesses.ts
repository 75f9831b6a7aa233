import type { BusinessFilter, BusinessOrder } from '../businesses/volume.ts'
import type { Queryable } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import { createdSql, type Page, type PageRequest } from '../platform/pages.ts'
import { volumeParameters, volumeSql } from './volumes.ts'

const keys = {
  name: 'lower(b.name)',
  lastPayment: 'v.last_payment_at',
  volume: 'v.days30_dollars',
} as const

/** The parameters are those of `valuesOf`, from this one on. */
const matching = (first: number): string =>
  `($${first}::text[] is null or b.approval = any($${first}))
   and ($${first + 1}::text is null or strpos(lower(b.name), lower($${first + 1})) > 0)${createdSql('b.created_at', 'b.id', first + 2)}`

const valuesOf = ({ approval, q, since, until }: BusinessFilter): unknown[] =>
  [approval, q, since, until].map((each) => each ?? null)

/**
 * Ids of one page in an order that has no cursor.
 * @throws ApiError 400 naming `cursor`
 */
export async function sortedBusinesses(
  db: Queryable,
  filter: BusinessFilter,
  order: Exclude<BusinessOrder, 'opened'>,
  { page, limit, sort, cursor }: PageRequest,
): Promise<{ ids: string[]; page: Page }> {
  if (cursor !== undefined)
    throw invalidParameters({
      field: 'cursor',
      message: 'is for the order `opened`; follow `page` instead',
      code: 'not_possible',
    })
  const rows = await db.query<{ id: string; total: number }>(
    `select b.id, (count(*) over ())::int as total from businesses b join (${volumeSql}) v on v.business_id = b.id
     where ${matching(4)}
     order by ${keys[order]} ${sort} nulls last, b.id limit $8 offset $9`,
    [...volumeParameters(), ...valuesOf(filter), limit, (page - 1) * limit],
  )
  const total = rows[0]?.total ?? (page === 1 ? 0 : await countBusinesses(db, filter))
  return {
    ids: rows.map(({ id }) => id),
    page: { total, page, limit, totalPages: Math.ceil(total / limit), nextCursor: null },
  }
}

/** Beyond the last page no row has the total. */
async function countBusinesses(db: Queryable, filter: BusinessFilter): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*)::int as total from businesses b
     where ${matching(1)}`,
    valuesOf(filter),
  )
  return row?.total ?? 0
}
