import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { VerificationContext } from './context.ts'
import { noteErasures } from './erasures/noteErasures.ts'
import { type Outcome, reasons, type StoredRequest } from './model.ts'
import { readAnyRequest } from './readVerification.ts'
import { dropFiles } from './uploads/dropFiles.ts'
import { dropRows } from './uploads/dropRows.ts'

/**
 * Erases the personal data of a request of any kind: its keys are destroyed, its fields and files. Id,
 * outcome and price stay. One that waits for credit ends with it. Repeating it changes nothing.
 * @throws ApiError 404; 409 `verification_not_ended`
 */
export async function eraseVerification(
  ctx: Pick<VerificationContext, 'db' | 'erasures' | 'log' | 'uploads'>,
  { actor, businessId }: { actor: Actor; businessId: string },
  id: string,
): Promise<StoredRequest> {
  const { row, files } = await ctx.db.tx(async (tx) => {
    const { id: known } = await readAnyRequest(tx, businessId, id)
    await tx.query('select 1 from verifications where id = $1 for no key update', [known])
    const before = await readAnyRequest(tx, businessId, known)
    if (before.completedAt === null && before.status !== 'pending_credit')
      throw new ApiError(
        409,
        'verification_not_ended',
        'This verification is under way; erase it when it has ended',
      )
    if (before.erasedAt) return { row: before, files: [] }
    const files = await eraseData(tx, known)
    await recordAudit(tx, actor, { businessId, action: 'verification.erased', target: known })
    return { row: await readAnyRequest(tx, businessId, known), files }
  })
  await noteErasures(ctx)
  await dropFiles(ctx, files)
  return row
}

/**
 * Destroys the keys and the data of a request. @returns its files, to be dropped after the transaction:
 * without their keys they cannot be read
 */
export async function eraseData(tx: Tx, id: string): Promise<string[]> {
  await endPending(tx, id)
  await tx.query('update verifications set data_key = null, erased_at = now() where id = $1', [id])
  await tx.query('delete from verification_fields where verification_id = $1', [id])
  return dropRows(tx, 'verification_id = $1', [id])
}

/** The end of a request that has no data any more: no check can be made. */
export const withoutData = { status: 'error', reasonCode: 'data_erased' } satisfies Outcome

/** Nothing is held for a request that waits for credit. */
const endPending = (tx: Tx, id: string) =>
  tx.query(
    `update verifications set status = $2, reason_code = $3, reason = $4, completed_at = now()
     where id = $1 and status = 'pending_credit'`,
    [id, withoutData.status, withoutData.reasonCode, reasons[withoutData.reasonCode]],
  )
