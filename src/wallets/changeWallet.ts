import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { findWallet, presentWallet, type WalletView } from './getWallet.ts'

/** Renames a wallet, or removes its name. @param also runs in the same transaction @throws ApiError 404 */
export async function renameWallet(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
  name: string | null,
  also: (tx: ModelTx, result: { before: WalletView; after: WalletView }) => Promise<void>,
): Promise<WalletView> {
  const wallet = await findWallet(ctx, businessId, id)
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await wallet.reload({ transaction, lock: transaction.LOCK.UPDATE })
    const before = presentWallet(wallet)
    const after = presentWallet(await wallet.update({ name }, { transaction }))
    await also(tx, { before, after })
    return after
  })
}

/**
 * Archives a wallet: it sends nothing new; transfers already requested continue. Repeating it changes
 * nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404
 */
export async function archiveWallet(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
  also: (tx: ModelTx, result: WalletView) => Promise<void>,
): Promise<WalletView> {
  const wallet = await findWallet(ctx, businessId, id)
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await wallet.reload({ transaction, lock: transaction.LOCK.UPDATE })
    if (wallet.archivedAt === null) await wallet.update({ archivedAt: new Date() }, { transaction })
    const view = presentWallet(wallet)
    await also(tx, view)
    return view
  })
}
