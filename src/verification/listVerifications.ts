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
import { type StoredVerification, shownColumns, type VerificationStatus } from './model.ts'
import { presentStatus } from './presentVerification.ts'

export interface VerificationFilter extends Created {
  status?: readonly VerificationStatus[]
  country?: string
  idType?: string
  requestId?: string
}

/** A page of the business's verifications, newest first by default. @throws ApiError 400 naming `cursor` */
export async function listVerifications(
  ctx: { db: Db },
  businessId: string,
  { status, country, idType, requestId, since, until }: VerificationFilter,
  request: PageRequest,
): Promise<Page & { verifications: ReturnType<typeof presentStatus>[] }> {
  const { page, limit, sort, cursor } = request
  const where = `business_id = $1 and kind = 'verification' and ($2::text[] is null or status = any($2)) and ($3::text is null or country = $3)
    and ($4::text is null or id_type = $4) and ($5::text is null or request_id = $5)${createdSql('created_at', 'id', 6)}`
  const values = [
    businessId,
    ...[status, country, idType, requestId, since, until].map((each) => each ?? null),
  ]
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(countSql(`from verifications where ${where}`), values)
    const rows = await tx.query<Omit<StoredVerification, 'dataKey'>>(
      `select ${shownColumns} from verifications where ${where} and ($8::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $8)
       order by id ${sort} limit $9 offset $10`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { verifications: rows.map(presentStatus), ...pageOf(rows, request, counted?.n ?? 0) }
  })
}
