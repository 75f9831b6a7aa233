import type { BusinessOrder } from '../businesses/volume.ts'
import type { Approval } from '../members/businessApproval.ts'
import type { Queryable } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import type { Page, PageRequest } from '../platform/pages.ts'
import { volumeParameters, volumeSql } from './volumes.ts'

const keys = {
  name: 'lower(b.name)',
  lastPayment: 'v.last_payment_at',
  volume: 'v.days30_dollars',
} as const

/** Of an approval and a part of a name, which are these parameters; null: any. */
const matching = (first: number): string =>
  `($${first}::text is null or b.approval = $${first})
   and ($${first + 1}::text is null or strpos(lower(b.name), lower($${first + 1})) > 0)`

/**
 * Ids of one page in an order that has no cursor.
 * @throws ApiError 400 naming `cursor`
 */
export async function sortedBusinesses(
  db: Queryable,
  { approval, q }: { approval?: Approval; q?: string },
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
     order by ${keys[order]} ${sort} nulls last, b.id limit $6 offset $7`,
    [...volumeParameters(), approval ?? null, q ?? null, limit, (page - 1) * limit],
  )
  const total = rows[0]?.total ?? (page === 1 ? 0 : await countBusinesses(db, approval, q))
  return {
    ids: rows.map(({ id }) => id),
    page: { total, page, limit, totalPages: Math.ceil(total / limit), nextCursor: null },
  }
}

/** Beyond the last page no row has the total. */
async function countBusinesses(db: Queryable, approval?: Approval, q?: string): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*)::int as total from businesses b
     where ${matching(1)}`,
    [approval ?? null, q ?? null],
  )
  return row?.total ?? 0
}
