import type { ModelDb } from '../platform/database/modelDb.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import type { IntentStatus } from '../txmgr/intents.ts'
import { readIntents } from '../txmgr/intents.ts'
import { intentModel } from '../txmgr/model.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

export interface TransferFilter {
  chain?: string
  token?: 'native' | 'usdc' | 'usdt'
  status?: 'pending' | 'confirmed' | 'failed'
  walletId?: string
}

const stored: Record<NonNullable<TransferFilter['status']>, IntentStatus[]> = {
  pending: ['created', 'signed', 'broadcast', 'unknown'],
  confirmed: ['confirmed'],
  failed: ['failed', 'expired'],
}

/** Transfers of the business by creation, the newest first by default. */
export async function listTransfers(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, token, status, walletId }: TransferFilter,
  request: PageRequest,
): Promise<Page & { transfers: TransferView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      purpose: 'transfer',
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: stored[status] }),
      ...(walletId !== undefined && { walletId }),
      ...(token === 'native' && { contract: null }),
      ...(token !== undefined && token !== 'native' && { symbol: token.toUpperCase() }),
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
