import type { TransferSpec } from '../chains/action.ts'
import type { Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { Intent } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { type KeySendingContext, sendWithKey } from '../txmgr/sendNow.ts'
import { asApiError, planTransfer, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'
import type { WantedTransfer } from './readTransfer.ts'

/**
 * Sends with a key from the request. The signed bytes are stored before they are broadcast; from then on a
 * worker can finish the transfer.
 * @param also runs in the transaction that stores them; again on its own, without one, with the transfer as
 * it is answered
 * @throws ApiError 422 with the reason why nothing was sent; 503
 */
export async function createTransfer(
  ctx: KeySendingContext,
  wanted: WantedTransfer & { businessId: string; from: string; key: Secret },
  also: (db: Queryable, result: TransferView) => Promise<void>,
): Promise<TransferView> {
  const { chain, businessId, key, symbol, decimals } = wanted
  await requireNotPaused(ctx.db, chain.name)
  const sending = await ctx.sendingChain(chain.name)
  const transfer: TransferSpec = { ...wanted.transfer, from: wanted.from }
  const plan = await planTransfer(sending, transfer)
  requireAffordable(plan)
  // A price that the caller names is not checked.
  if (transfer.gasPrice === null) await requireSensibleFee(ctx, chain, plan)
  const row = {
    businessId,
    purpose: 'transfer',
    chain: chain.name,
    signer: 'caller',
    walletId: null,
    action: transfer,
    symbol,
    decimals,
  } as const
  const stored = await sendWithKey(ctx, sending, row, plan, key, (tx, signed) =>
    also(tx, presentTransfer(signed)),
  ).catch((error) => {
    throw asApiError(chain.name, error)
  })
  return answerStored(ctx, stored, also)
}

/** Answers with a stored transfer. Does not fail: after an error the caller might send it again. */
export async function answerStored(
  ctx: { db: Queryable; log: Log },
  row: Intent,
  also: (db: Queryable, result: TransferView) => Promise<void>,
): Promise<TransferView> {
  const view = presentTransfer(row)
  await also(ctx.db, view).catch((error) => {
    ctx.log.error(
      { intent: row.id, chain: row.chain, err: messageOf(error) },
      'the answer to a stored transfer could not be stored for repetitions',
    )
  })
  return view
}
