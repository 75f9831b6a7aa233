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
import type { Secret } from '../platform/secrets.ts'
import {
  type DestinationKind,
  type DestinationRow,
  type DestinationStatus,
  type DestinationView,
  destinationColumns,
  presentDestination,
  statusSql,
} from './destination.ts'

export interface DestinationFilter extends Created {
  kind?: DestinationKind
  status?: readonly DestinationStatus[]
  currency?: string
}

/** A page of the business's destinations, newest first by default. @throws ApiError 400 naming `cursor` */
export async function listDestinations(
  ctx: { db: Db; appKey: Secret },
  businessId: string,
  { kind, status, currency, since, until }: DestinationFilter,
  request: PageRequest,
): Promise<Page & { destinations: DestinationView[] }> {
  const { page, limit, sort, cursor } = request
  const where = `d.business_id = $1 and ($2::text is null or d.kind = $2) and ($3::text[] is null or ${statusSql} = any($3))
    and ($4::text is null or d.currency = $4)${createdSql('d.created_at', 'd.id', 5)}`
  const values = [businessId, ...[kind, status, currency, since, until].map((each) => each ?? null)]
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(
      countSql(`from payout_destinations d where ${where}`),
      values,
    )
    const rows = await tx.query<DestinationRow>(
      `select ${destinationColumns} from payout_destinations d where ${where} and ($7::uuid is null or d.id ${sort === 'ASC' ? '>' : '<'} $7)
       order by d.id ${sort} limit $8 offset $9`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return {
      destinations: rows.map((row) => presentDestination(ctx, row)),
      ...pageOf(rows, request, counted?.n ?? 0),
    }
  })
}
