import type { Db } from '../platform/database/db.ts'
import { decodeCursor, type Page, type PageRequest, pageOf } from '../platform/pages.ts'
import { requireRange } from '../platform/requireRange.ts'
import {
  type CountedLink,
  countColumns,
  linkColumns,
  type PaymentLinkStatus,
  type PaymentLinkView,
  presentLink,
  statusSql,
} from './paymentLink.ts'

export interface LinkFilter {
  status?: PaymentLinkStatus
  reference?: string
  /** Created from this time on, and before this one. */
  since?: Date
  until?: Date
}

/** A page reaches no further by its number, so nothing beyond is counted. */
const maxCounted = 10_000

/** Links of the business, newest first unless requested otherwise. @throws ApiError 400 naming `until` or `cursor` */
export async function listPaymentLinks(
  ctx: { db: Db; issuer: string },
  businessId: string,
  { status, reference, since, until }: LinkFilter,
  request: PageRequest,
): Promise<Page & { links: PaymentLinkView[] }> {
  if (since && until) requireRange({ field: 'since', time: since }, { field: 'until', time: until })
  const { page, limit, sort, cursor } = request
  const values: unknown[] = [businessId]
  const conditions = ['l.business_id = $1']
  const add = (value: unknown, condition: string) => {
    if (value !== undefined) conditions.push(`${condition} $${values.push(value)}`)
  }
  add(status, `${statusSql} =`)
  add(reference, 'l.reference =')
  add(since, 'l.created_at >=')
  add(until, 'l.created_at <')
  const where = conditions.join(' and ')
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(
      `select count(*)::int as n from (select 1 from payment_links l where ${where} limit ${maxCounted}) first`,
      values,
    )
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
