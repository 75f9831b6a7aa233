import type { Queryable, Tx } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { decodeCursor, type Page, type PageRequest, pageOf } from '../platform/pages.ts'
import { countHeld, heldSql } from '../txmgr/hold.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { presentTransfer } from './presentTransfer.ts'

/** A transfer as an operator sees it. */
export type OperatedTransfer = ReturnType<typeof presentOperated>

export function presentOperated(row: Intent) {
  const { id, chain, symbol, amount, fromAddress, toAddress, memo, status, reason, createdAt, approval } = presentTransfer(row)
  return {
    ...{ id, chain, symbol, amount, fromAddress, toAddress },
    ...(memo !== undefined && { memo }),
    ...{ signer: row.signer, status, reason, createdAt },
    waitsForApproval: approval?.state === 'waiting',
  }
}

/**
 * A page of the held transfers of a suspended business.
 * @throws ApiError 404; 400 naming `cursor`
 */
export async function listHeldTransfers(
  ctx: { db: { snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> } },
  businessId: string,
  request: PageRequest,
): Promise<Page & { transfers: OperatedTransfer[] }> {
  if (!isUuid(businessId)) throw notFound('business')
  return ctx.db.snapshot(async (tx) => {
    const [business] = await tx.query('select 1 from businesses where id = $1', [businessId])
    if (!business) throw notFound('business')
    const total = (await countHeld(tx, [businessId])).get(businessId) ?? 0
    const rows = await findHeld(tx, businessId, request)
    return { transfers: rows.map(presentOperated), ...pageOf(rows, request, total) }
  })
}

function findHeld(db: Queryable, businessId: string, { page, limit, sort, cursor }: PageRequest): Promise<Intent[]> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const skipped = cursor === undefined ? (page - 1) * limit : 0
  return readIntents(
    db,
    `business_id = $1 and purpose = 'transfer' and ${heldSql} and ($2::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $2) order by id ${sort} limit $3 offset $4`,
    [businessId, after, limit, skipped],
  )
}
