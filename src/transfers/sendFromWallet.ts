import { requestApproval } from '../approvals/requestApproval.ts'
import type { TransferSpec } from '../chains/action.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { requireWithinLimits } from '../spendingLimits/requireWithin.ts'
import type { TxManagerContext } from '../txmgr/context.ts'
import { insertIntent, type RequestedBy } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { noteSender } from '../wallets/checkSoon.ts'
import { walletArchived } from '../wallets/getWallet.ts'
import { type Wallet, walletModel } from '../wallets/model.ts'
import { planQueued, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'
import type { WantedTransfer } from './readTransfer.ts'

export interface WalletSendingContext extends TxManagerContext {
  db: ModelDb
}

/**
 * Stores a transfer from a stored wallet: the treasury signs it, a worker sends it.
 * @param also runs in the transaction that stores it
 * @throws ApiError 403 `limit_exceeded`; 409 `wallet_archived`; 422 with the reason why it could not be made
 * now; 503
 */
export async function sendFromWallet(
  ctx: WalletSendingContext,
  wanted: WantedTransfer & {
    validUntil: Date | null
    wallet: Wallet
    askedBy: RequestedBy & { keyRootId: string | null }
  },
  also: (tx: ModelTx, result: TransferView) => Promise<void>,
): Promise<TransferView> {
  const { chain, wallet, symbol, decimals, askedBy } = wanted
  const { businessId, id: walletId } = wallet
  await requireNotPaused(ctx.db, chain.name)
  const transfer: TransferSpec = { ...wanted.transfer, from: wallet.address }
  // Only for an early answer: the transfer is planned again before it is signed.
  const plan = await planQueued(await ctx.sendingChain(chain.name), transfer)
  requireAffordable(plan)
  await requireSensibleFee(ctx, chain, plan)
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
        amount: transfer.amount,
        to: transfer.to,
        memo: transfer.memo,
        contract: transfer.token?.contract ?? null,
        walletId,
      },
      token: transfer.token === null ? 'native' : (symbol.toLowerCase() as 'usdc' | 'usdt'),
      keyRootId: askedBy.keyRootId,
    })
    const id = newId()
    if (needsApproval)
      await requestApproval(tx, { businessId, subject: 'transfer', subjectId: id, ...askedBy })
    const row = await insertIntent(
      ctx,
      tx,
      {
        id,
        businessId,
        purpose: 'transfer',
        chain: chain.name,
        signer: 'wallet',
        walletId,
        action: transfer,
        symbol,
        decimals,
        askedBy,
        needsApproval,
        validUntil: wanted.validUntil,
      },
      0,
      ctx.prover,
    )
    await noteSender(tx, { walletId, businessId, chain: chain.name })
    const shown = presentTransfer(row)
    await also(tx, shown)
    return shown
  })
  failpoint('api.transfer-queued')
  return view
}
