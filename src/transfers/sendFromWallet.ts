import { askApproval } from '../approvals/askApproval.ts'
import type { TransferIntent } from '../chains/sending.ts'
import type { OutgoingContext } from '../outgoing/context.ts'
import { type AskedBy, insertOutgoing } from '../outgoing/outgoing.ts'
import { requireNotPaused } from '../outgoing/pause.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import type { ModelDb, ModelTx } from '../platform/modelDb.ts'
import { requireWithinLimits } from '../sendLimits/requireWithin.ts'
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
 * @throws ApiError 403 `limit_exceeded`; 409 `wallet_archived`; 422 with the reason why it could not be made now; 503
 */
export async function sendFromWallet(
  ctx: WalletSendingContext,
  wanted: WantedTransfer & { wallet: Wallet; askedBy: AskedBy & { keyRootId: string | null } },
  also: (tx: ModelTx, view: TransferView) => Promise<void>,
): Promise<TransferView> {
  const { chain, wallet, symbol, decimals, askedBy } = wanted
  const { businessId, id: walletId } = wallet
  await requireNotPaused(ctx.db, chain.name)
  const intent: TransferIntent = { ...wanted.intent, from: wallet.address }
  // Asked again before it is signed: this is for the caller's sake.
  const plan = await planTransfer(await ctx.sendingChain(chain.name), intent)
  requireAffordable(plan)
  requireSensibleFee(chain, plan)
  const view = await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    const now = await walletModel(ctx.db.sequelize).findOne({
      where: { id: walletId, businessId },
      transaction,
      lock: transaction.LOCK.SHARE,
    })
    if (!now || now.archivedAt !== null) throw walletArchived()
    const { approval: needsApproval } = await requireWithinLimits(tx, {
      ...{
        chain: chain.name,
        symbol,
        decimals,
        amount: intent.amount,
        to: intent.to,
        memo: intent.memo,
        contract: intent.token?.contract ?? null,
        walletId,
      },
      token: intent.token === null ? 'native' : (symbol.toLowerCase() as 'usdc' | 'usdt'),
      keyRootId: askedBy.keyRootId,
    })
    const id = newId()
    if (needsApproval) await askApproval(tx, { businessId, subject: 'transfer', subjectId: id, ...askedBy })
    const row = await insertOutgoing(
      tx,
      { id, businessId, purpose: 'transfer', chain: chain.name, signer: 'wallet', walletId, intent, symbol, decimals, askedBy, needsApproval },
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
