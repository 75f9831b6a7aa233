import { Op, type WhereOptions } from 'sequelize'
import { normalForms } from '../chains/codecs.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { isUuid } from '../platform/ids.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import type { IntentStatus } from '../txmgr/intents.ts'
import { readIntents } from '../txmgr/intents.ts'
import { intentModel } from '../txmgr/model.ts'
import { signedFor } from './getTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

export interface TransferFilter extends Created {
  chain?: string
  token?: 'native' | 'usdc' | 'usdt'
  status?: readonly ShownStatus[]
  walletId?: string
  /** The id, the hash of any transaction that was signed for it, or an address that it is from or to. */
  search?: string
}

type ShownStatus = 'pending' | 'confirmed' | 'failed'

const stored: Record<ShownStatus, IntentStatus[]> = {
  pending: ['created', 'signed', 'broadcast', 'unknown'],
  confirmed: ['confirmed'],
  failed: ['failed', 'expired'],
}

/**
 * Transfers of the business by creation, the newest first by default.
 * @throws ApiError 400 naming `cursor`
 */
export async function listTransfers(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, token, status, walletId, search, ...created }: TransferFilter,
  request: PageRequest,
): Promise<Page & { transfers: TransferView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      purpose: 'transfer',
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: status.flatMap((each) => stored[each]) }),
      ...(walletId !== undefined && { walletId }),
      ...(token === 'native' && { contract: null }),
      ...(token !== undefined && token !== 'native' && { symbol: token.toUpperCase() }),
      ...createdWithin(created),
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
