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
import { type BridgeStatus, readBridgeTransfers } from './bridgeRow.ts'
import { type BridgeView, presentBridge } from './presentBridge.ts'

/** @throws ApiError 404, also for a transfer of another business */
export async function getBridge(ctx: { db: Db }, businessId: string, id: string): Promise<BridgeView> {
  const [row] = isUuid(id)
    ? await readBridgeTransfers(ctx.db, 'id = $1 and business_id = $2', [id, businessId])
    : []
  if (!row) throw notFound('Bridge transfer')
  return presentBridge(row)
}

export interface BridgeFilter extends Created {
  status?: readonly BridgeStatus[]
  sourceChain?: string
  destinationChain?: string
}

/**
 * A page of the business's bridge transfers, newest first by default. @throws ApiError 400 naming `cursor`
 */
export async function listBridge(
  ctx: { db: Db },
  businessId: string,
  { status, sourceChain, destinationChain, since, until }: BridgeFilter,
  request: PageRequest,
): Promise<Page & { transfers: BridgeView[] }> {
  const { page, limit, sort, cursor } = request
  const where = `business_id = $1 and ($2::text[] is null or status = any($2)) and ($3::text is null or source_chain = $3)
    and ($4::text is null or destination_chain = $4)${createdSql('created_at', 'id', 5)}`
  const values = [
    businessId,
    ...[status, sourceChain, destinationChain, since, until].map((each) => each ?? null),
  ]
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(countSql(`from bridge_transfers where ${where}`), values)
    const rows = await readBridgeTransfers(
      tx,
      `${where} and ($7::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $7) order by id ${sort} limit $8 offset $9`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { transfers: rows.map(presentBridge), ...pageOf(rows, request, counted?.n ?? 0) }
  })
}
