import type { Db } from '../platform/database/db.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import {
  type CountedLink,
  countColumns,
  linkColumns,
  type PaymentLinkStatus,
  type PaymentLinkView,
  presentLink,
  statusSql,
} from './paymentLink.ts'

export interface LinkFilter extends Created {
  status?: readonly PaymentLinkStatus[]
  reference?: string
}

/** Links of the business, newest first unless requested otherwise. @throws ApiError 400 naming `cursor` */
export async function listPaymentLinks(
  ctx: { db: Db; issuer: string },
  businessId: string,
  { status, reference, since, until }: LinkFilter,
  request: PageRequest,
): Promise<Page & { links: PaymentLinkView[] }> {
  const { page, limit, sort, cursor } = request
  const values = [businessId, status ?? null, reference ?? null, since ?? null, until ?? null]
  const where = `l.business_id = $1 and ($2::text[] is null or ${statusSql} = any($2))
    and ($3::text is null or l.reference = $3)${createdSql('l.created_at', 'l.id', 4)}`
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(countSql(`from payment_links l where ${where}`), values)
    const after = cursor === undefined ? null : decodeCursor(cursor)
    const of = values.length
    const rows = await tx.query<CountedLink>(
      `select ${linkColumns}, ${countColumns} from payment_links l
       where ${where} and ($${of + 1}::uuid is null or l.id ${sort === 'ASC' ? '>' : '<'} $${of + 1})
       order by l.id ${sort} limit $${of + 2} offset $${of + 3}`,
      [...values, after, limit, after === null ? (page - 1) * limit : 0],
    )
    return { links: rows.map((row) => presentLink(ctx, row)), ...pageOf(rows, request, counted?.n ?? 0) }
  })
}
