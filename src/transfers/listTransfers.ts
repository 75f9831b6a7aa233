import { Op, type WhereOptions } from 'sequelize'
import { normalForms } from '../chains/codecs.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { isUuid } from '../platform/ids.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { requireRange } from '../platform/requireRange.ts'
import type { IntentStatus } from '../txmgr/intents.ts'
import { readIntents } from '../txmgr/intents.ts'
import { intentModel } from '../txmgr/model.ts'
import { signedFor } from './getTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

export interface TransferFilter {
  chain?: string
  token?: 'native' | 'usdc' | 'usdt'
  status?: 'pending' | 'confirmed' | 'failed'
  walletId?: string
  /** The id, the hash of any transaction that was signed for it, or an address that it is from or to. */
  search?: string
  /** Created from this time on, and before this one. */
  since?: Date
  until?: Date
}

const stored: Record<NonNullable<TransferFilter['status']>, IntentStatus[]> = {
  pending: ['created', 'signed', 'broadcast', 'unknown'],
  confirmed: ['confirmed'],
  failed: ['failed', 'expired'],
}

/**
 * Transfers of the business by creation, the newest first by default.
 * @throws ApiError 400 naming `until` or `cursor`
 */
export async function listTransfers(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, token, status, walletId, search, since, until }: TransferFilter,
  request: PageRequest,
): Promise<Page & { transfers: TransferView[] }> {
  if (since && until) requireRange({ field: 'since', time: since }, { field: 'until', time: until })
  return ctx.db.snapshot(async (tx) => {
    const created = { ...(since && { [Op.gte]: since }), ...(until && { [Op.lt]: until }) }
    const where = {
      businessId,
      purpose: 'transfer',
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: stored[status] }),
      ...(walletId !== undefined && { walletId }),
      ...(token === 'native' && { contract: null }),
      ...(token !== undefined && token !== 'native' && { symbol: token.toUpperCase() }),
      ...((since || until) && { createdAt: created }),
      ...(search !== undefined && (await named(tx, search.trim()))),
    }
    const { rows, page } = await findPage(intentModel(ctx.db.sequelize), where, request, tx.transaction)
    const ids = rows.map(({ id }) => id)
    const found = new Map(
      (await readIntents(tx, 'id = any($1::uuid[]) and business_id = $2', [ids, businessId])).map((row) => [
        row.id,
        row,
      ]),
    )
    const transfers = ids.flatMap((id) => {
      const row = found.get(id)
      return row ? [presentTransfer(row)] : []
    })
    return { transfers, ...page }
  })
}

/** What a text names as a whole. Where it is nothing of these, it names no transfer. */
async function named(db: Queryable, text: string): Promise<WhereOptions> {
  const addresses = normalForms(text).map(({ address }) => address)
  const ids = isUuid(text) ? [text] : await signedFor(db, text)
  return { [Op.or]: [{ id: ids }, { fromAddress: addresses }, { toAddress: addresses }] }
}
