import type { Db } from '../../platform/database/db.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '../../platform/pages.ts'
import { type PayoutBatchView, readBatches } from './readBatches.ts'

export interface BatchFilter extends Created {
  reference?: string | undefined
}

/** A page of the business's batches, newest first by default. @throws ApiError 400 naming `cursor` */
export async function listPayoutBatches(
  ctx: { db: Db },
  businessId: string,
  { reference, since, until }: BatchFilter,
  request: PageRequest,
): Promise<Page & { batches: PayoutBatchView[] }> {
  const { page, limit, sort, cursor } = request
  const where = `($2::text is null or b.reference = $2)${createdSql('b.created_at', 'b.id', 3)}`
  const values = [reference ?? null, since ?? null, until ?? null]
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(
      countSql(`from payout_batches b where b.business_id = $1 and ${where}`),
      [businessId, ...values],
    )
    const batches = await readBatches(
      tx,
      businessId,
      `${where} and ($5::uuid is null or b.id ${sort === 'ASC' ? '>' : '<'} $5) order by b.id ${sort} limit $6 offset $7`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { batches, ...pageOf(batches, request, counted?.n ?? 0) }
  })
}
