import type { TransferIntent } from '../chains/sending.ts'
import type { OutgoingContext } from '../outgoing/context.ts'
import { insertOutgoing } from '../outgoing/outgoing.ts'
import { requireNotPaused } from '../outgoing/pause.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { ModelDb, ModelTx } from '../platform/modelDb.ts'
import { walletArchived } from '../wallets/getWallet.ts'
import { type Wallet, walletModel } from '../wallets/model.ts'
import { planTransfer, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'
import type { WantedTransfer } from './readTransfer.ts'

export interface WalletSendingContext extends OutgoingContext {
  db: ModelDb
}

/**
 * Queues a transfer from a stored wallet: the treasury signs it, a worker sends it.
 * @param also runs in the transaction that stores it
 * @throws ApiError 409 `wallet_archived`; 422 with the reason why it could not be made now; 503
 */
export async function sendFromWallet(
  ctx: WalletSendingContext,
  wanted: WantedTransfer & { wallet: Wallet },
  also: (tx: ModelTx, view: TransferView) => Promise<void>,
): Promise<TransferView> {
  const { chain, wallet, symbol, decimals } = wanted
  await requireNotPaused(ctx.db, chain.name)
  const intent: TransferIntent = { ...wanted.intent, from: wallet.address }
  // Asked again before it is signed: this is for the caller's sake.
  const plan = await planTransfer(await ctx.sendingChain(chain.name), intent)
  requireAffordable(plan)
  requireSensibleFee(chain, plan)
  const view = await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    const now = await walletModel(ctx.db.sequelize).findOne({
      where: { id: wallet.id, businessId: wallet.businessId },
      transaction,
      lock: transaction.LOCK.SHARE,
    })
    if (!now || now.archivedAt !== null) throw walletArchived()
    const row = await insertOutgoing(
      tx,
      { businessId: wallet.businessId, purpose: 'transfer', chain: chain.name, signer: 'wallet', walletId: wallet.id, intent, symbol, decimals },
      0,
      ctx.prover,
    )
    const shown = presentTransfer(row)
    await also(tx, shown)
    return shown
  })
  failpoint('api.transfer-queued')
  return view
}
