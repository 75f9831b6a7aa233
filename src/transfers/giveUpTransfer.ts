import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { giveUp } from '../txmgr/giveUp.ts'
import { isSuspended, leavesWalletSql } from '../txmgr/hold.ts'
import { type Intent, isOwnSigner, type PurposesContext, readIntents } from '../txmgr/intents.ts'
import { type OperatedTransfer, presentOperated } from './listHeldTransfers.ts'

/**
 * Fails a held transfer, or bridge transfer, of a stored wallet by the operator's decision, and notifies its
 * business. Repeating it changes nothing.
 * @returns the transfer afterwards
 * @throws ApiError 404; 409 `transfer_not_held`, `transfer_not_ours`
 */
export async function giveUpTransfer(
  ctx: PurposesContext & { db: Db },
  actor: Actor,
  businessId: string,
  id: string,
): Promise<OperatedTransfer> {
  if (!isUuid(businessId) || !isUuid(id)) throw notFound('Transfer')
  return ctx.db.tx(async (tx) => {
    const row = await read(tx, businessId, id, 'for update')
    if (row.reason === 'given_up') return presentOperated(row)
    if (!isOwnSigner(row.signer))
      throw new ApiError(
        409,
        'transfer_not_ours',
        "The caller's own key has signed the transfer: it can be sent without this platform",
      )
    // Locks the approval of the business: lifting the suspension waits until the transfer has ended.
    if (!(await isSuspended(tx, businessId)))
      throw new ApiError(409, 'transfer_not_held', 'The transfer is not held: its business is not suspended')
    await giveUp(ctx, tx, id)
    const after = { status: 'failed', reason: 'given_up' }
    await recordAudit(tx, actor, {
      businessId,
      action: 'transfer.given_up',
      target: id,
      before: { status: row.status },
      after,
    })
    return presentOperated(await read(tx, businessId, id))
  })
}

async function read(
  db: Queryable,
  businessId: string,
  id: string,
  lock: 'for update' | '' = '',
): Promise<Intent> {
  const [row] = await readIntents(db, `id = $1 and business_id = $2 and ${leavesWalletSql} ${lock}`, [
    id,
    businessId,
  ])
  if (!row) throw notFound('Transfer')
  return row
}
