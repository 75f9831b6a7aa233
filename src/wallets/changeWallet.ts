import type { Queryable } from '../platform/db.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { findWallet, presentWallet, type WalletView } from './getWallet.ts'

/** Renames a wallet, or removes its name. @param also runs in the same transaction @throws ApiError 404 */
export async function renameWallet(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
  name: string | null,
  also: (db: Queryable, view: WalletView, before: { name: string | null }) => Promise<void>,
): Promise<WalletView> {
  const wallet = await findWallet(ctx, businessId, id)
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await wallet.reload({ transaction, lock: transaction.LOCK.UPDATE })
    const before = { name: wallet.name }
    const view = presentWallet(await wallet.update({ name }, { transaction }))
    await also(tx, view, before)
    return view
  })
}

/**
 * Archives a wallet: it sends nothing new; transfers already requested continue. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404
 */
export async function archiveWallet(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
  also: (db: Queryable, view: WalletView) => Promise<void>,
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
