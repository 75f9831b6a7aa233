import type { Db } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { type StoredSession, sessionColumns } from '../sessions/storedSession.ts'
import { listRefundable, type RefundableAsset } from './listRefundable.ts'
import { type RefundView, readRefundViews } from './refundView.ts'

/**
 * Refunds of a session, newest first unless requested otherwise, and what can be refunded yet. @throws
 * ApiError 400 naming `cursor`; 404
 */
export async function listRefunds(
  { db }: { db: Db },
  businessId: string,
  sessionId: string,
  { status, since, until }: Created & { status?: readonly RefundView['status'][] },
  request: PageRequest,
): Promise<Page & { refunds: RefundView[]; refundable: RefundableAsset[] }> {
  const { page, limit, sort, cursor } = request
  if (!isUuid(sessionId)) throw notFound('Session')
  return db.snapshot(async (tx) => {
    const [session] = await tx.query<StoredSession>(
      `select ${sessionColumns} from pos_sessions where id = $1 and business_id = $2`,
      [sessionId, businessId],
    )
    if (!session) throw notFound('Session')
    const where = `session_id = $1 and business_id = $2 and ($3::text[] is null or status = any($3))${createdSql('created_at', 'id', 4)}`
    const values = [sessionId, businessId, status ?? null, since ?? null, until ?? null]
    const [counted] = await tx.query<{ n: number }>(
      countSql(`from outflows where kind = 'refund' and ${where}`),
      values,
    )
    const refunds = await readRefundViews(
      tx,
      `${where} and ($6::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $6) order by id ${sort} limit $7 offset $8`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return {
      refunds,
      refundable: await listRefundable(tx, session),
      ...pageOf(refunds, request, counted?.n ?? 0),
    }
  })
}
