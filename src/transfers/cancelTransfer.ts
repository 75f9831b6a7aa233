import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUuid } from '../platform/ids.ts'
import { cancelUnsent } from '../txmgr/cancelUnsent.ts'
import type { TxManagerContext } from '../txmgr/context.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import { cancellationMessage } from '../txmgr/proof.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

export type CancellingContext = Pick<TxManagerContext, 'purposes' | 'prover'> & { db: ModelDb }

/**
 * Cancels a transfer from a stored wallet. It fails at once if nothing of it was sent; otherwise it is
 * pending until the chain shows whether it was mined all the same. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `transfer_not_ours`, `transfer_ended`
 */
export async function cancelTransfer(
  ctx: CancellingContext,
  businessId: string,
  id: string,
  also: (tx: ModelTx, result: TransferView) => Promise<void>,
): Promise<TransferView> {
  if (!isUuid(id)) throw notFound('Transfer')
  const read = async (tx: ModelTx, lock = '') => {
    const [row] = await readIntents(tx, `id = $1 and business_id = $2 and purpose = 'transfer' ${lock}`, [
      id,
      businessId,
    ])
    if (!row) throw notFound('Transfer')
    return row
  }
  const view = await ctx.db.tx(async (tx) => {
    const row = await read(tx, 'for update')
    if (row.cancelRequestedAt === null) await cancel(ctx, tx, row)
    const shown = presentTransfer(await read(tx))
    await also(tx, shown)
    return shown
  })
  failpoint('api.transfer-cancelled')
  return view
}

async function cancel(ctx: CancellingContext, tx: ModelTx, row: Intent): Promise<void> {
  if (row.signer !== 'wallet')
    throw new ApiError(
      409,
      'transfer_not_ours',
      'A key that is not stored has signed the transfer: it can be sent without this platform',
    )
  if (isOutcome(row.status))
    throw new ApiError(409, 'transfer_ended', `The transfer has ended: it is ${presentTransfer(row).status}`)
  const now = new Date()
  await tx.query(
    'update intents set cancel_requested_at = $2, cancel_proof = $3, next_reconcile_at = now(), updated_at = now() where id = $1',
    [row.id, now, ctx.prover.prove(cancellationMessage(row.id, now))],
  )
  if (!(await cancelUnsent(ctx, tx, row))) await tx.query("select pg_notify('cowry_intents', '')")
}
